#include <algorithm>
#include <system_error>

#include "sim/machine/reader.hpp"

namespace hotline::machine {

Folders machine_folders(const std::filesystem::path& first) {
  Folders folders;
  for (const std::filesystem::path& folder :
       {first, std::filesystem::path("configs"), std::filesystem::path(HOTLINE_SOURCE_CONFIGS),
        std::filesystem::path(HOTLINE_INSTALLED_CONFIGS)}) {
    std::error_code error;
    if (!folder.empty() && std::filesystem::is_directory(folder, error)) folders.push_back(folder);
  }
  return folders;
}

std::vector<std::string> machine_names(const Folders& folders) {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace hotline::machine
