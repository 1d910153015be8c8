#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make c_tkt_tkt;

}  // namespace hotline::models
