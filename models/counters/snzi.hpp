#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make snzi;

}  // namespace hotline::models
