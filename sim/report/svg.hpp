#pragma once

#include <string>
#include <string_view>

/// What the pictures have in common.
namespace hotline::report::svg {

/// `text` with the characters that mean something in XML written out.
[[nodiscard]] std::string escaped(std::string_view text);

/// A line of text; `anchor` is start, middle or end.
[[nodiscard]] std::string label(double x, double y, const char* anchor, const std::string& text);

/// The picture's first lines, on white.
[[nodiscard]] std::string begin(double width, double height);

}  // namespace hotline::report::svg
