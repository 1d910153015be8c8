#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make hazard_pointers;

}  // namespace hotline::models
