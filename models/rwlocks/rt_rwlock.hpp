#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make rt_rwlock;
Make rt_rw_semaphore;

}  // namespace hotline::models
