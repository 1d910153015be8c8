#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make lockref;

}  // namespace hotline::models
