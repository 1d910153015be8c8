#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/types.hpp"

/// What a machine file says, checked and with defaults filled in. Plain data: the reader makes it
/// (sim/machine/reader.hpp), Topology and Machine are built from it.
namespace hotline::machine {

/// Who supplies a Shared line's data and whether a dirty line may be shared.
enum class Protocol : std::uint8_t { kMesi, kMesif, kMoesi };

/// `tso`: plain stores retire into a store buffer. `sc`: every store waits until it is performed.
enum class Consistency : std::uint8_t { kTso, kSc };

/// How a locked operation is built: by taking ownership (x86, LSE near) or load-linked and
/// store-conditional, where a failing compare never asks for ownership.
enum class Atomics : std::uint8_t { kOwnership, kLlSc };

/// When an agent takes up the next request for a line: at once after sending its snoops, when the
/// old owner's response reaches it, or when the new owner has confirmed.
enum class TakeUp : std::uint8_t { kDispatch, kResponse, kCompletion };

/// A one-way leg whose length depends on where core and slice lie on the socket's grid.
struct Hop {
  Duration nearest;
  Duration farthest;
};

/// A clock that depends on how many cores of the socket are busy (P11).
struct ClockStep {
  std::uint32_t up_to_active_cores = 0;  ///< the step holds up to this many; the last is open
  std::uint64_t megahertz = 0;
};

struct CoreDescription {
  std::vector<ClockStep> clock;
  Latency issue;      ///< from a miss to the request leaving the core
  Latency fill;       ///< from the data's arrival to its first use by a locked operation
  Latency snoop;      ///< to answer a snoop
  Latency load;       ///< a load that hits, or is forwarded from the store buffer
  Latency store;      ///< a store into the buffer (tso) or a store that hits (sc)
  Latency fetch_add;  ///< a locked add, and, or that hits
  Latency exchange;
  Latency compare_exchange;
  Latency fence;      ///< with an empty store buffer
  Latency pause;      ///< the poll period of spin loops that pause (P12)
  Latency spin_exit;  ///< leaving a spin loop: the mispredicted branch, the machine clear
  std::uint32_t store_buffer = 56;    ///< entries
  bool store_prefetch = false;        ///< a store asks for its line when it enters the buffer (P7)
  std::uint32_t far_outstanding = 8;  ///< far atomics a core may have in flight
  double smt_slowdown = 1.0;          ///< of computing while a sibling computes (P10)
};

/// An agent of one level of the domain tree: it keeps track of the lines held in its domain.
struct AgentDescription {
  Latency look_up;  ///< from taking a request up to sending snoops or data
  Hop hop;          ///< between a core and this agent, one way
  Hop direct;       ///< from an old owner's core to the requester's, inside the domain
  Duration fabric;  ///< between this agent and what stands above it, one way: the socket's
                    ///< agent, or its node's router
  Duration cache;   ///< to read the line from the domain's own cache, on top of look_up
  TakeUp take_up = TakeUp::kResponse;
  Duration read_interval;  ///< between two reads of a Shared line served in a pipeline (P5)
  Duration far_interval;   ///< between two far atomics on one line (P9)
};

/// The homes: one a NUMA node, above the last agent.
struct HomeDescription {
  Duration look_up;
  Duration directory;  ///< added when the directory bits must come from memory: the line is
                       ///< held dirty outside the home's own node
  Duration memory;     ///< to read the line from memory, on top of look_up
  Hop hop;             ///< between a core and its node's router where no agent stands between
  Hop direct;          ///< from an old owner's core to the requester's, no agent between
  TakeUp take_up = TakeUp::kResponse;
  Duration read_interval;
  Duration far_interval;
};

/// An edge of the NUMA graph. Directions may differ; a one-way link has only `there`.
struct LinkDescription {
  NodeId from;
  NodeId to;
  Duration there;
  std::optional<Duration> back;
};

/// The operations that a machine executes at the line's agent or home instead of in the core.
struct FarAtomics {
  bool add = false;  ///< the form without a result (Arm's STADD)
  bool fetch_add = false;
  bool exchange = false;
  bool compare_exchange = false;
};

/// Order in which the hardware threads are numbered.
enum class CpuNumbering : std::uint8_t {
  kSiblingsLast,      ///< cpu c is on core c mod cores (Linux on Intel servers)
  kSiblingsAdjacent,  ///< cpu c is on core c / threads
};

struct Description {
  std::string name;
  std::string title;  ///< one line for people
  std::uint32_t sockets = 1;
  std::uint32_t clusters_per_socket = 1;
  std::uint32_t cores_per_cluster = 1;
  std::uint32_t threads_per_core = 1;
  std::uint32_t nodes_per_socket = 1;
  CpuNumbering numbering = CpuNumbering::kSiblingsLast;
  std::optional<AgentDescription> cluster_agent;  ///< P8: a domain either has an agent or has not
  std::optional<AgentDescription> socket_agent;
  HomeDescription home;
  CoreDescription core;
  std::vector<LinkDescription> links;
  /// The links are whole routes, as a distance table (SLIT) gives them: none leads through a third
  /// node, even where that would be shorter.
  bool links_are_routes = false;
  std::vector<NodeId> nodes_without_memory;  ///< no home may be placed there
  Protocol protocol = Protocol::kMesi;
  Consistency consistency = Consistency::kTso;
  Atomics atomics = Atomics::kOwnership;
  FarAtomics far;
  std::uint32_t line_bytes = 64;
  bool adjacent_line_prefetch = false;
};

}  // namespace hotline::machine
