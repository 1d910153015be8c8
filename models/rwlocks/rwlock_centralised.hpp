#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make rwlock_centralised;

}  // namespace hotline::models
