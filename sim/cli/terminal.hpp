#pragma once

#include "sim/report/text_table.hpp"

namespace hotline::cli {

/// Colours if standard output is a terminal that shows them and NO_COLOR (no-color.org) is not set.
report::Style terminal_style();

}  // namespace hotline::cli
