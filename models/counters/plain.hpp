#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make plain;

}  // namespace hotline::models
