#include "sim/workload/program_builder.hpp"

#include <algorithm>

namespace hotline::workload {
namespace {

template <class T>
std::uint32_t append(std::vector<T>& all, T one) {
  all.push_back(std::move(one));
  return static_cast<std::uint32_t>(all.size() - 1);
}

}  // namespace

std::uint32_t ProgramBuilder::emit(const Instruction& instruction, input::Position position) {
  program_.positions.push_back(position);
  return append(program_.code, instruction);
}

std::uint32_t ProgramBuilder::expression(Expression expression) {
  return append(program_.expressions, std::move(expression));
}

std::uint32_t ProgramBuilder::reference(const Reference& reference) {
  return append(program_.references, reference);
}

std::uint32_t ProgramBuilder::choices(std::vector<Choice> choices) {
  return append(program_.choices, std::move(choices));
}

void ProgramBuilder::begin_loop() { program_.loops = std::max(program_.loops, ++depth_); }

Program ProgramBuilder::finish(input::Position position) {
  emit({}, position);
  return std::move(program_);
}

std::uint32_t intern(std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return append(names, std::string(name));
}

}  // namespace hotline::workload
