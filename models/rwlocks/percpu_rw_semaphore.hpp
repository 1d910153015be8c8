#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make percpu_rw_semaphore;

}  // namespace hotline::models
