#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make cna;

}  // namespace hotline::models
