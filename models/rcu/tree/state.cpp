#include "models/rcu/tree/state.hpp"

#include <algorithm>
#include <string>

#include "models/locks/qspinlock.hpp"

namespace hotline::models::tree_rcu {

namespace {

std::unique_ptr<Model> node_lock(Site& site) {
  ParamReader defaults;
  return qspinlock(site, defaults);
}

constexpr Value ones(std::uint32_t count) {
  return count >= 64 ? ~Value{0} : (Value{1} << count) - 1;
}

}  // namespace

State::State(Site& site, ParamReader& reader)
    : params(read_parameters(site, reader)), scheduler(site.scheduler()) {
  gp_seq = site.word("gp_seq");
  gp_flags = site.word("gp_flags");
  site.new_line();
  exp_seq = site.word("exp_seq");
  exp_mutex = site.word("exp_mutex");
  add_nodes(site);
  const Records data =
      site.per_cpu("rcu_data", {{"gp_seq", 64}, {"cblist_len", 64}, {"cblist_tail", 64}});
  const Records tracking = site.per_cpu("context_tracking", {{"state", 64}});
  for (std::uint32_t id = 0; id < site.cpus(); ++id) {
    Cpu& cpu = cpus.emplace_back();
    cpu.id = {id};
    cpu.seen_word = data.word(id, 0);
    cpu.length = data.word(id, 1);
    cpu.tail = data.word(id, 2);
    cpu.idle_word = tracking.word(id, 0);
    cpu.batch = params.batch;
  }
  connect();
  const Records tasks =
      site.per_thread("task", {{"rcu_read_lock_nesting", 32}, {"rcu_read_unlock_special", 32}});
  readers.resize(site.threads());
  for (std::uint32_t id = 0; id < site.threads(); ++id) {
    readers[id].nesting_word = tasks.word(id, 0);
    readers[id].special_word = tasks.word(id, 1);
  }
}

/// One level after the other, the root first: each level has so many nodes that the next can hang
/// below it.
void State::add_nodes(Site& site) {
  std::vector<std::uint32_t> spans{params.leaf_fanout};  // CPUs of a node, leaves first
  while (spans.back() < site.cpus()) spans.push_back(spans.back() * params.fanout);
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    first_leaf = nodes.size();
    for (std::uint32_t first = 0; first < site.cpus(); first += *span) {
      add_node(site, first, std::min(first + *span, site.cpus()) - 1);
    }
  }
}

/// The kernel's order of fields: the masks of expedited grace periods and the list of readers lie
/// on the second line, what callers of expedited ones meet at on the third.
void State::add_node(Site& whole, std::uint32_t first, std::uint32_t last) {
  Site& site = whole.part("rcu_node[" + std::to_string(nodes.size()) + "]", whole.home());
  Node& node = nodes.emplace_back();
  node.first_cpu = first;
  node.last_cpu = last;
  node.lock = node_lock(site);
  node.gp_seq = site.word("gp_seq");
  node.needed = site.word("gp_seq_needed");
  node.missing = site.word("qsmask");
  site.new_line();
  node.exp_missing = site.word("expmask");
  node.preempted = site.word("blkd_tasks");
  site.new_line();
  node.exp_lock = node_lock(site);
  node.exp_asked = site.word("exp_seq_rq");
  site.new_line();
  node.ipi_busy = site.word("csd_flags");
}

void State::connect() {
  for (std::size_t child = 1; child < nodes.size(); ++child) {
    for (std::size_t above = 0; above < child; ++above) {
      Node& parent = nodes[above];
      if (parent.first_cpu <= nodes[child].first_cpu && nodes[child].last_cpu <= parent.last_cpu) {
        nodes[child].parent = &parent;  // the last that fits is the nearest
      }
    }
    Node& parent = *nodes[child].parent;
    nodes[child].bit = parent.all + 1;
    parent.all |= nodes[child].bit;
  }
  for (std::size_t k = first_leaf; k < nodes.size(); ++k) {
    Node& leaf = nodes[k];
    leaf.all = ones(leaf.last_cpu - leaf.first_cpu + 1);
    for (std::uint32_t id = leaf.first_cpu; id <= leaf.last_cpu; ++id) {
      cpus[id].leaf = &leaf;
      cpus[id].bit = Value{1} << (id - leaf.first_cpu);
    }
  }
}

Task<> State::acquire(Thread& self, Node& node) {
  self.interrupts_disable();
  co_await node.lock->lock()->acquire(self);
}

Task<> State::release(Thread& self, Node& node) {
  co_await node.lock->lock()->release(self);
  self.interrupts_enable();
}

}  // namespace hotline::models::tree_rcu
