#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make srcu;

}  // namespace hotline::models
