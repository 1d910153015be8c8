#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make per_cpu;

}  // namespace hotline::models
