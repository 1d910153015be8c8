#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make qspinlock;

}  // namespace hotline::models
