#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/input/diagnostics.hpp"
#include "sim/input/node.hpp"

namespace hotline::input {

/// What a document may be at most; beyond it loading ends with a message.
struct Limits {
  std::size_t bytes = std::size_t{8} << 20U;
  std::size_t depth = 64;
  std::size_t nodes = 400'000;  ///< after aliases are expanded
};

/// Loads a YAML file. Anchors, aliases and merge keys (`<<`) are expanded; duplicate keys, tags,
/// keys that are no scalars and second documents are errors. Problems go to `diagnostics`; the node
/// returned then holds what could be read, and null if that is nothing.
Node load_file(const std::filesystem::path& path, Diagnostics& diagnostics,
               const Limits& limits = {});

/// The same for text that is already in memory; `name` is printed where a file's name would be.
Node load_text(std::string_view text, std::string_view name, Diagnostics& diagnostics,
               const Limits& limits = {});

/// The bytes of any file; empty, with a problem reported, if it cannot be read or is too big.
std::string load_bytes(const std::filesystem::path& path, Diagnostics& diagnostics,
                       const Limits& limits = {});

}  // namespace hotline::input
