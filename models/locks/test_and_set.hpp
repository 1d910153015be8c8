#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make test_and_set;

}  // namespace hotline::models
