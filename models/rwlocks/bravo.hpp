#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make bravo;

}  // namespace hotline::models
