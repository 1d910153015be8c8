#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make shfl_lock;

}  // namespace hotline::models
