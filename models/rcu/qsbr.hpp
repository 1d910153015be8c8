#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make qsbr;

}  // namespace hotline::models
