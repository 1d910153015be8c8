#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make percpu_ref;

}  // namespace hotline::models
