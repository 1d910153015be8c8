#include "sim/engine/task_promise.hpp"

#include <cstdio>
#include <exception>

namespace hotline::engine {

void report_wrong_frame() {
  std::fputs(
      "hotline: a coroutine's handle does not point to its frame; "
      "is there a co_await in the condition of an if or a loop?\n",
      stderr);
  std::terminate();
}

}  // namespace hotline::engine
