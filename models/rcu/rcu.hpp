#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make rcu;

}  // namespace hotline::models
