#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make atomic;

}  // namespace hotline::models
