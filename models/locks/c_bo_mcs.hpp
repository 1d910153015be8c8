#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make c_bo_mcs;

}  // namespace hotline::models
