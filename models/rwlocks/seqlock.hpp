#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make seqlock;
Make rt_seqlock;

}  // namespace hotline::models
