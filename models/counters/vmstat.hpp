#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make vmstat;

}  // namespace hotline::models
