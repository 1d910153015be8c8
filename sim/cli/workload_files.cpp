#include "sim/cli/workload_files.hpp"

#include <algorithm>

namespace hotline::cli {

namespace fs = std::filesystem;

fs::path workload_folder() {
  if (fs::is_directory("workloads")) return "workloads";
  return fs::path(HOTLINE_SOURCE_DIR) / "workloads";
}

std::vector<fs::path> workload_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace hotline::cli
