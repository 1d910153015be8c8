#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make virt_spinlock;

}  // namespace hotline::models
