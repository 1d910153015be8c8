#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make seqlock;

}  // namespace hotline::models
