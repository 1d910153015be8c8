#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make refcount;

}  // namespace hotline::models
