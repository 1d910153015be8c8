#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/input/node.hpp"

namespace hotline::input {

struct BadCharacter {
  Position position;
  std::string message;
};

/// The first byte that no text file has: broken UTF-8, or a control character other than tab and
/// line ends. A YAML parser would guess at them; a machine file must not be guessed at.
std::optional<BadCharacter> first_bad_character(std::string_view text);

}  // namespace hotline::input
