#pragma once

#include <filesystem>
#include <vector>

#include "sim/input/reader.hpp"
#include "sim/workload/step_context.hpp"

namespace hotline::workload {

/// Reads recorded operations: a list of {at, thread, do}, or {file: x.csv} with the columns
/// at,thread,operation,target,value. Gives one program for each thread of the group; a thread does
/// its operations in order, none before its time.
std::vector<Program> read_trace(const input::Value& value, StepContext& context,
                                const GroupSpec& group, const std::filesystem::path& folder);

/// The forms of a trace, for the schema.
void declare_trace(const input::Value& value);

/// The rows of a CSV file as the list that read_trace() reads; what is wrong goes to `diagnostics`.
input::Node load_csv_trace(const std::filesystem::path& file, input::Diagnostics& diagnostics);

}  // namespace hotline::workload
