#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make ticket_blocking;

}  // namespace hotline::models
