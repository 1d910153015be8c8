#pragma once

#include <vector>

#include "sim/input/reader.hpp"
#include "sim/machine/reader.hpp"

namespace hotline::machine {

/// Reads a machine's block `parameters`: name -> {default, description}.
std::vector<Parameter> read_parameters(input::MapReader& map);

/// The document with every `$name` replaced by the value of that parameter: the one given, else the
/// one in the document's `with`, else the default. Takes `parameters` and `with` out. Values for
/// parameters that do not exist are reported, and so are names that nobody declared.
input::Node substitute_parameters(input::Node document, const ParameterValues& given,
                                  std::vector<Parameter>& declared,
                                  input::Diagnostics& diagnostics);

}  // namespace hotline::machine
