#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make pv_qspinlock;

}  // namespace hotline::models
