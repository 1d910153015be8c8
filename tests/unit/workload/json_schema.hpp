#pragma once

#include <string>

#include <boost/json.hpp>

#include "sim/input/node.hpp"

// A validator of the part of JSON Schema that hotline's schemas use.
namespace hotline::tests {

/// A YAML node as the JSON that an editor would hold against the schema.
boost::json::value to_json_value(const input::Node& node);

/// Why the value does not fit the schema, with its path; empty if it does. Throws
/// std::logic_error for a keyword that this validator does not know.
std::string mismatch(const boost::json::value& value, const boost::json::value& schema);

}  // namespace hotline::tests
