#include "sim/input/utf8.hpp"

#include <cstdint>

namespace hotline::input {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

/// Length of the well-formed character at `at`, or 0 (RFC 3629: no overlong forms, no surrogates,
/// nothing above U+10FFFF).
std::size_t character_length(std::string_view text, std::size_t at) {
  const std::uint8_t lead = byte_at(text, at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + length > text.size()) return 0;
  const std::uint8_t second = byte_at(text, at + 1);
  const std::uint8_t lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (second < lowest || second > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

bool is_forbidden_control(std::uint8_t byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

std::string hex(std::uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return {'0', 'x', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
}

}  // namespace

std::optional<BadCharacter> first_bad_character(std::string_view text) {
  Position position{1, 1};
  for (std::size_t at = 0; at < text.size();) {
    const std::uint8_t byte = byte_at(text, at);
    const std::size_t length = character_length(text, at);
    if (length == 0) {
      return BadCharacter{position, "byte " + hex(byte) + " is not UTF-8; save the file as UTF-8"};
    }
    if (is_forbidden_control(byte)) {
      return BadCharacter{position, "control character " + hex(byte) + "; expected a text file"};
    }
    at += length;
    if (byte == '\n') {
      position = {position.line + 1, 1};
    } else {
      ++position.column;
    }
  }
  return std::nullopt;
}

}  // namespace hotline::input
