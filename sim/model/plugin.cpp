#include "sim/model/plugin.hpp"

#include <dlfcn.h>
#include <string>

namespace hotline::model {

namespace {

constexpr const char* kFunction = "hotline_models";

std::string last_error() {
  const char* text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

PluginRows rows_of(void* library, const std::string& file) {
  void* symbol = dlsym(library, kFunction);
  if (symbol == nullptr) {
    throw PluginError(file + ": exports no function " + kFunction + ", so it holds no models");
  }
  const PluginRows rows = reinterpret_cast<PluginFunction*>(symbol)();
  if (rows.interface != kPluginInterface) {
    throw PluginError(file + ": built for model interface " + std::to_string(rows.interface) +
                      ", this program has " + std::to_string(kPluginInterface) +
                      "; build it again with this version's headers");
  }
  return rows;
}

}  // namespace

Plugin::Plugin(const std::filesystem::path& library)
    // An absolute path: a bare file name would be looked for in the system's folders only.
    : library_(dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) throw PluginError("cannot load models: " + last_error());
  try {
    const PluginRows rows = rows_of(library_, library.string());
    rows_ = {rows.first, rows.count};
  } catch (...) {
    dlclose(library_);
    throw;
  }
}

Plugin::~Plugin() { dlclose(library_); }

}  // namespace hotline::model
