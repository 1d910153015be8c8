#pragma once

#include "tests/style/tree.hpp"

namespace hotline::tests::style {

/// Every model file (models/KIND/NAME.cpp) is in models/catalog.cpp, which names its function NAME.
Violations check_catalogued(const Tree& tree);

/// Every model file has its page docs/models/NAME.md.
Violations check_documented(const Tree& tree);

}  // namespace hotline::tests::style
