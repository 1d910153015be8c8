#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make condition_variable;

}  // namespace hotline::models
