#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make brlock;

}  // namespace hotline::models
