#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make clh;

}  // namespace hotline::models
