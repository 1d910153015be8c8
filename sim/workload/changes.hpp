#pragma once

#include "sim/input/diagnostics.hpp"
#include "sim/input/node.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::workload {

/// Applies one change to a document: replaces what stands at its path, or removes it if the value
/// is null. Everything on the way must exist; the last key may be new, and is then checked like
/// any other when the document is read. Reports a path that leads nowhere, with the nearest
/// spelling.
void apply(const Change& change, input::Node& document, input::Diagnostics& diagnostics);

/// What stands at a path; null if nothing does.
const input::Node* find(std::string_view path, const input::Node& document);

/// Writes `machine: NAME` as `machine: {use: NAME}`, so that changes can reach into it.
void normalise(input::Node& document);

}  // namespace hotline::workload
