#include "sim/input/document.hpp"

#include <array>
#include <fstream>
#include <system_error>

#include "sim/input/tree_builder.hpp"
#include "sim/input/utf8.hpp"

namespace hotline::input {
namespace {

Place whole(std::string_view name) { return {std::string(name), {}, {}}; }

}  // namespace

std::string load_bytes(const std::filesystem::path& path, Diagnostics& diagnostics,
                       const Limits& limits) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    diagnostics.error(whole(path.string()), "is a folder; expected a file");
    return {};
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    diagnostics.error(whole(path.string()), "cannot be opened; does it exist and may you read it?");
    return {};
  }
  std::string text;
  std::array<char, 65536> chunk{};
  // One byte more than allowed tells a file that is too big from one that just fits.
  while (text.size() <= limits.bytes && stream) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) diagnostics.error(whole(path.string()), "cannot be read to its end");
  return text;
}

Node load_text(std::string_view text, std::string_view name, Diagnostics& diagnostics,
               const Limits& limits) {
  if (text.size() > limits.bytes) {
    diagnostics.error(whole(name),
                      "is larger than " + std::to_string(limits.bytes >> 20U) + " MiB");
    return {};
  }
  if (const auto bad = first_bad_character(text)) {
    diagnostics.error({std::string(name), bad->position, {}}, bad->message);
    return {};
  }
  return build_tree(text, name, diagnostics, limits);
}

Node load_file(const std::filesystem::path& path, Diagnostics& diagnostics, const Limits& limits) {
  const std::size_t errors = diagnostics.errors();
  const std::string text = load_bytes(path, diagnostics, limits);
  if (diagnostics.errors() > errors) return {};
  return load_text(text, path.string(), diagnostics, limits);
}

}  // namespace hotline::input
