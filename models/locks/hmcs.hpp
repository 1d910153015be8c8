#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make hmcs;

}  // namespace hotline::models
