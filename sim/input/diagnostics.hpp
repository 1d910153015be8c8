#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/input/node.hpp"

namespace hotline::input {

/// `kWarning`: not credible, but kept as it was written.
enum class Severity : std::uint8_t { kError, kWarning };

/// Where a problem lies: the file, the place in it, and the path of keys that leads there.
struct Place {
  std::string file;
  Position position;
  std::string path;  ///< "home.look_up", "links[2].there"; empty for the whole document
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Place place;
  std::string message;
};

/// One line: `file:line:column: error: path: message`, leaving out what is not known.
std::string to_string(const Diagnostic& diagnostic);

/// Collects everything that is wrong with what a user wrote, so that all of it is reported at once.
class Diagnostics {
 public:
  /// Adds a problem that makes the input unusable. The same text at the same place counts once.
  void error(Place place, std::string message);
  /// Adds a doubt; the input is used as it is.
  void warning(Place place, std::string message);

  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }
  bool empty() const { return all_.empty(); }

  /// Everything, by file in the order the files were met, then by position, then as found.
  std::vector<Diagnostic> sorted() const;
  /// All lines of sorted(), each with a line feed; beyond a thousand problems only their number.
  std::string text() const;
  /// Throws InputError if there is an error; warnings alone do not throw.
  void throw_if_errors() const;

 private:
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

/// What the user wrote cannot be used; what() is diagnostics().text(). Ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(Diagnostics diagnostics)
      : std::runtime_error(diagnostics.text()), diagnostics_(std::move(diagnostics)) {}

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

}  // namespace hotline::input
