#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make reference_count;

}  // namespace hotline::models
