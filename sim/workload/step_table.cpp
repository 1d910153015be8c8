#include <algorithm>
#include <array>

#include "sim/workload/step_reader.hpp"

namespace hotline::workload {
namespace {

constexpr std::array kSteps{
    StepRow{"call", "run a function: one of the file's functions by name, or named steps",
            &StepReader::call},
    StepRow{"compute", "compute for a time; touches no memory", &StepReader::compute},
    StepRow{"stall",
            "wait for memory that is not simulated, which a busy SMT sibling does not lengthen",
            &StepReader::stall},
    StepRow{"acquire", "acquire a lock", &StepReader::acquire},
    StepRow{"release", "release a lock that this thread holds", &StepReader::release},
    StepRow{"with", "acquire a lock, do steps, release it", &StepReader::with},
    StepRow{"acquire_read", "acquire a reader-writer lock as a reader", &StepReader::acquire_read},
    StepRow{"release_read", "release a lock that this thread has as a reader",
            &StepReader::release_read},
    StepRow{"read_lock",
            "do steps as a reader of a lock, again if it is a sequence lock and a "
            "writer came between",
            &StepReader::read_lock},
    StepRow{"write_lock", "do steps as a writer of a lock that readers share",
            &StepReader::write_lock},
    StepRow{"cond_wait", "wait on a condition variable, and give up a lock meanwhile",
            &StepReader::cond_wait},
    StepRow{"cond_signal", "wake one of those that wait on a condition variable",
            &StepReader::cond_signal},
    StepRow{"cond_broadcast", "wake all of them", &StepReader::cond_broadcast},
    StepRow{"add", "add to a counter, or to a plain field by a locked add without result",
            &StepReader::add},
    StepRow{"read", "read a counter cheaply, perhaps stale", &StepReader::read},
    StepRow{"sum", "read a counter exactly", &StepReader::sum},
    StepRow{"get", "one user more of a reference", &StepReader::get},
    StepRow{"put", "one user less of a reference", &StepReader::put},
    StepRow{"kill", "give up a reference as its owner; from now on it may end", &StepReader::kill},
    StepRow{"query", "whether a reference has users", &StepReader::query},
    StepRow{"touch", "read or write lines of a struct", &StepReader::touch},
    StepRow{"scan", "walk a list: the first instances of a struct", &StepReader::scan},
    StepRow{"load", "load a field", &StepReader::load},
    StepRow{"store", "store to a field", &StepReader::store},
    StepRow{"fetch_add", "locked add with result", &StepReader::fetch_add},
    StepRow{"fetch_and", "locked and with result", &StepReader::fetch_and},
    StepRow{"fetch_or", "locked or with result", &StepReader::fetch_or},
    StepRow{"exchange", "store and give what was there, locked", &StepReader::exchange},
    StepRow{"compare_exchange", "store if the field holds what is expected, locked",
            &StepReader::compare_exchange},
    StepRow{"fence", "wait until all earlier stores are visible", &StepReader::fence},
    StepRow{"spin", "load a field again and again until it has a value", &StepReader::spin},
    StepRow{"loop", "do steps a number of times, or until a condition holds", &StepReader::loop},
    StepRow{"repeat", "do steps for ever", &StepReader::repeat},
    StepRow{"choose", "do one of several lists of steps, by weight", &StepReader::choose},
    StepRow{"every", "do steps on every n-th pass", &StepReader::every},
    StepRow{"if", "do steps if a condition holds, and perhaps others if not", &StepReader::branch},
    StepRow{"set", "set variables of this thread", &StepReader::set},
    StepRow{"wait_for", "wait for signals without touching memory", &StepReader::wait_for},
    StepRow{"signal", "signal an event", &StepReader::signal},
    StepRow{"sleep", "sleep for a time", &StepReader::sleep},
    StepRow{"prepare_to_block", "from now on a wake is not lost: block then returns at once",
            &StepReader::prepare_to_block},
    StepRow{"block", "give up the CPU until another thread wakes this one", &StepReader::block},
    StepRow{"wake", "wake a thread that is blocked, by its number", &StepReader::wake},
    StepRow{"yield", "let another runnable thread of the CPU run (sched_yield)",
            &StepReader::yield},
    StepRow{"cond_resched", "give up the CPU in the kernel if another thread should have it",
            &StepReader::cond_resched},
    StepRow{"system_call", "do steps in the kernel", &StepReader::system_call},
    StepRow{"rcu_read", "do steps as a reader of an RCU domain", &StepReader::rcu_read},
    StepRow{"synchronize_rcu", "wait for a grace period", &StepReader::synchronize_rcu},
    StepRow{"synchronize_rcu_expedited", "wait for one that interrupts busy CPUs",
            &StepReader::synchronize_rcu_expedited},
    StepRow{"call_rcu", "have steps done after a grace period, without waiting for it",
            &StepReader::call_rcu},
    StepRow{"kfree_rcu", "the same for callbacks that only free memory, many at a time",
            &StepReader::kfree_rcu},
    StepRow{"count", "count a unit of work done", &StepReader::count},
};

constexpr std::uint32_t kLongestProgram = 200'000;

}  // namespace

void StepReader::steps(const input::Value& value) {
  value.list([&](const input::Value& one) { step(one); }, {1, 10'000});
}

void StepReader::step(const input::Value& value) {
  if (builder_.here() > kLongestProgram) {
    if (!full_) value.error("the program has more than 200000 instructions with this step");
    full_ = true;
    return;
  }
  value.map(
      [&](input::MapReader& map) {
        if (!map.is_dry()) check_keys(map.whole());
        for (const StepRow& row : kSteps) {
          map.value(row.name, row.description, [&](const input::Value& argument) {
            check_deferred(argument, row.name);
            (this->*row.read)(argument);
          });
        }
      },
      "step");
}

void StepReader::check_keys(const input::Value& value) {
  const input::Node& node = *value.node();
  if (node.members.size() == 1) return;
  std::string found = node.members.empty() ? "none" : "";
  for (const input::Member& member : node.members) {
    found += (found.empty() ? "" : ", ") + member.key;
  }
  value.error("a step is one key; found " + found + " (begin every step with a dash of its own)");
}

}  // namespace hotline::workload
