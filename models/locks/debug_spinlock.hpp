#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make debug_spinlock;

}  // namespace hotline::models
