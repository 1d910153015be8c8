#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make futex_mutex;
Make futex_mutex_adaptive;
Make mutex3;

}  // namespace hotline::models
