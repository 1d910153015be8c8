#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make rw_semaphore;

}  // namespace hotline::models
