#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make anderson;

}  // namespace hotline::models
