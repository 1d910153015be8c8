#pragma once

#include <filesystem>
#include <vector>

namespace hotline::cli {

/// The folder of workloads: here, else in the source tree that this program was built from.
[[nodiscard]] std::filesystem::path workload_folder();

/// The workloads in a folder and those below it, sorted.
[[nodiscard]] std::vector<std::filesystem::path> workload_files(
    const std::filesystem::path& folder);

}  // namespace hotline::cli
