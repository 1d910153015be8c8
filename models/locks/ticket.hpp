#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make ticket;

}  // namespace hotline::models
