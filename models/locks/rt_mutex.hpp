#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make rt_mutex;
Make rt_spin_lock;

}  // namespace hotline::models
