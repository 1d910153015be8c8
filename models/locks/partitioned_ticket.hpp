#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make partitioned_ticket;

}  // namespace hotline::models
