#include "sim/engine/task_promise.hpp"

#include <cstdio>
#include <exception>

namespace hotline::engine {

#if defined(__GNUC__) && !defined(__clang__)
void check_frame(const void* frame) {
  if (frame == last_allocated_frame()) return;
  std::fputs(
      "hotline: a coroutine's handle does not point to its frame; "
      "is there a co_await in the condition of an if or a loop?\n",
      stderr);
  std::terminate();
}
#endif

}  // namespace hotline::engine
