#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make mutex;

}  // namespace hotline::models
