#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make i386_spinlock;

}  // namespace hotline::models
