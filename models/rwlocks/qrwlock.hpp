#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make qrwlock;

}  // namespace hotline::models
