#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make mcs;

}  // namespace hotline::models
