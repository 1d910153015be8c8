#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make queued_fifo;

}  // namespace hotline::models
