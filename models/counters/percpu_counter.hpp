#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make percpu_counter;

}  // namespace hotline::models
