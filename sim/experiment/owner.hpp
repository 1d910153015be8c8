#pragma once

#include <string>
#include <string_view>

namespace hotline::experiment {

/// Names this process so that another on the host can tell whether it still lives: the boot, the
/// process namespace, the process number, and when it began, since numbers are used again. Empty
/// where there is no /proc.
[[nodiscard]] std::string this_owner();

/// The same for any process.
[[nodiscard]] std::string owner_of(int process);

/// True if that process certainly lives. One on another host, or in a container that sees other
/// processes, counts as dead: then two of them may do the same work, but none waits for ever.
[[nodiscard]] bool is_alive(std::string_view owner);

}  // namespace hotline::experiment
