#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make ttas;

}  // namespace hotline::models
