#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>

#include "sim/model/model.hpp"

namespace hotline::model {

/// Changes whenever a library built against older headers could not work any more.
inline constexpr std::uint32_t kPluginInterface = 5;

/// What a shared library of models gives. Without initialisers, so that a C function may return it.
struct PluginRows {
  std::uint32_t interface;  ///< kPluginInterface
  const Entry* first;
  std::size_t count;
};

/// The function that a shared library of models exports under the name `hotline_models`:
/// `extern "C" hotline::model::PluginRows hotline_models() { return {kPluginInterface, rows, 1}; }`
using PluginFunction = PluginRows();

/// A file that is no shared library of models; the message names it and says why.
class PluginError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A loaded shared library of models; unloaded at the end of its life, when none of its models or
/// rows may be in use any more.
class Plugin {
 public:
  /// Throws PluginError if the file cannot be loaded, exports no `hotline_models`, or was built for
  /// another interface.
  explicit Plugin(const std::filesystem::path& library);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  std::span<const Entry> rows() const { return rows_; }

 private:
  void* library_;
  std::span<const Entry> rows_;
};

}  // namespace hotline::model
