#include "sim/model/plugin.hpp"

// A library that was built for an interface of another number, for the test of that message.
extern "C" hotline::model::PluginRows hotline_models() {
  return {hotline::model::kPluginInterface + 1, nullptr, 0};
}
