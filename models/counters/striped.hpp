#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make striped;

}  // namespace hotline::models
