#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/program.hpp"

namespace hotline::workload {

/// Appends instructions to a program and fills in jump targets.
class ProgramBuilder {
 public:
  /// Where the next instruction will stand.
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  /// Returns the instruction's place.
  std::uint32_t emit(const Instruction& instruction, input::Position position);
  std::uint32_t expression(Expression expression);
  std::uint32_t constant(std::int64_t value, Unit unit = Unit::kNumber) {
    return expression(Expression(value, unit));
  }
  std::uint32_t reference(const Reference& reference);
  const Reference& reference_at(std::uint32_t index) const { return program_.references[index]; }
  std::uint32_t choices(std::vector<Choice> choices);
  std::uint32_t new_every() { return program_.every++; }
  void set_target(std::uint32_t instruction, std::uint32_t target) {
    program_.code[instruction].target = target;
  }

  void begin_loop();
  void end_loop() { --depth_; }

  /// Ends the program and gives it away.
  Program finish(input::Position position);

 private:
  Program program_;
  std::uint32_t depth_ = 0;
};

/// The index of a name in a list, to which it is added if it is new.
std::uint32_t intern(std::vector<std::string>& names, std::string_view name);

}  // namespace hotline::workload
