#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/machine/probe.hpp"
#include "sim/model/site.hpp"

namespace hotline::tests {

/// Writes down every operation a thread performs, short (ld, st, cas, faa, for,
/// xchg, WAIT, with the width in bits unless 64) and with the names that the model gave its words.
/// Looks of a spin loop, and repeated equal operations, become one line; a loop's operations are
/// written once.
class Trace final : public machine::Probe {
 public:
  explicit Trace(const std::vector<model::NamedWord>& words);

  void performed(machine::CpuId cpu, const machine::Access& access, machine::Value result,
                 bool missed, engine::SimTime now) override;
  /// A line of its own: what the thread does next.
  void heading(std::uint32_t cpu, const std::string& text);

  /// Everything, thread by thread.
  std::string text() const;

 private:
  static std::string looped(const std::vector<std::string>& lines);
  std::string line(const machine::Access& access, machine::Value result) const;
  void append(std::uint32_t cpu, const std::string& line);

  std::map<machine::Word, std::string> names_;
  std::vector<std::vector<std::string>> lines_;  // by CPU
};

}  // namespace hotline::tests
