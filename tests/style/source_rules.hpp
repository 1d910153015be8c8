#pragma once

#include "tests/style/tree.hpp"

namespace hotline::tests::style {

/// No C++ file is longer than 400 lines.
Violations check_length(const Tree& tree);

/// co_await stands in no condition of if, while, for or switch: g++ 12 then lays out the frame of
/// a coroutine without locals so that resume() calls the wrong function.
Violations check_co_await_in_condition(const Tree& tree);

/// co_await is given no braced awaiter: g++ 12 destroys such a temporary twice.
Violations check_braced_awaiter(const Tree& tree);

/// A file that defines an awaiter asserts that awaiters are trivially destructible.
Violations check_awaiter_assertion(const Tree& tree);

/// Every header begins with #pragma once.
Violations check_pragma_once(const Tree& tree);

/// No file carries a mark of unfinished work.
Violations check_unfinished_marks(const Tree& tree);

}  // namespace hotline::tests::style
