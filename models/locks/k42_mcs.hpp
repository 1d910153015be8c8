#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make k42_mcs;

}  // namespace hotline::models
