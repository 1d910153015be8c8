#pragma once

#include <vector>

#include "sim/machine/probe.hpp"

namespace hotline::measure {

/// Tells several listeners what happens in a machine, in their order.
class ProbeList : public machine::Probe {
 public:
  void add(machine::Probe& probe) { probes_.push_back(&probe); }
  /// What to give to a run: nothing if nobody listens, the listener itself if it is alone.
  [[nodiscard]] machine::Probe* get() {
    if (probes_.empty()) return nullptr;
    return probes_.size() == 1 ? probes_.front() : this;
  }

  void performed(machine::CpuId cpu, const machine::Access& access, machine::Value result,
                 bool missed, engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->performed(cpu, access, result, missed, when);
  }
  void committed(machine::CpuId cpu, machine::Word word, machine::Value value,
                 engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->committed(cpu, word, value, when);
  }
  void asked(machine::LineId line, machine::CoreId core, machine::Request request,
             engine::SimTime now, engine::SimTime departs) override {
    for (machine::Probe* probe : probes_) probe->asked(line, core, request, now, departs);
  }
  void taken_up(machine::LineId line, machine::CoreId core, std::uint32_t keeper,
                engine::SimTime arrived, engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->taken_up(line, core, keeper, arrived, when);
  }
  void filled(machine::LineId line, machine::CoreId core, bool exclusive,
              engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->filled(line, core, exclusive, when);
  }
  void missed(machine::CpuId cpu, const machine::Access& access, machine::Source source,
              engine::Duration stalled, engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->missed(cpu, access, source, stalled, when);
  }
  void transferred(machine::LineId line, machine::CoreId from, machine::CoreId to, bool exclusive,
                   engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->transferred(line, from, to, exclusive, when);
  }
  void invalidated(machine::LineId line, machine::CoreId core, engine::SimTime when) override {
    for (machine::Probe* probe : probes_) probe->invalidated(line, core, when);
  }

 private:
  std::vector<machine::Probe*> probes_;
};

}  // namespace hotline::measure
