#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make cas;

}  // namespace hotline::models
