#include "sim/measure/breakdown.hpp"

#include <numeric>

#include "sim/measure/recorder.hpp"
#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

using hotline::engine::Duration;
using hotline::measure::Breakdown;
using hotline::measure::BreakdownEntry;
using hotline::measure::Measurement;
using hotline::measure::TimeKind;

namespace {

Duration of(const Breakdown& breakdown, TimeKind::Class kind) {
  Duration sum;
  for (std::size_t i = 0; i < breakdown.kinds.size(); ++i) {
    if (breakdown.kinds[i].kind == kind) sum += breakdown.all.times[i];
  }
  return sum;
}

}  // namespace

TEST_CASE("a breakdown adds up to all threads' time to the picosecond") {
  const auto scenario = hotline::tests::scenario(R"(objects:
  gate: {model: mcs}
  door: {model: mutex}
  shared: {fields: {hits: {at: 0B}}}
functions:
  guarded: [{with: {lock: gate, do: [{compute: 100ns}]}}]
threads:
  worker:
    count: 3
    program:
      - repeat:
          - call: guarded
          - call: {function: counting, do: [{fetch_add: shared.hits}]}
          - with: {lock: door, do: [{sleep: 30us}]}
          - compute: 50ns
measure: {warm_up: 7us, duration: 400us}
)");
  hotline::measure::Recorder recorder;
  hotline::workload::Run run(scenario, {.observer = &recorder});
  recorder.profile(run);
  run.run();
  const Measurement result = hotline::measure::read_off(run, recorder);
  const Breakdown breakdown = hotline::measure::breakdown_of(result);
  CHECK(breakdown.all.total() == result.length * 3);
  Duration functions;
  for (const BreakdownEntry& entry : breakdown.functions) functions += entry.total();
  CHECK(functions == breakdown.all.total());
  CHECK(breakdown.functions.size() == 3);
  for (const auto kind : {TimeKind::Class::kWork, TimeKind::Class::kStall,
                          TimeKind::Class::kSpinning, TimeKind::Class::kBlocked}) {
    CHECK(of(breakdown, kind) > Duration());
  }
}
