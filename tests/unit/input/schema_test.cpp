#include "sim/input/types.hpp"
#include "tests/catch.hpp"

namespace hotline::input {
namespace {

/// A little language with a recursive step, as workloads have.
void read_step(const Value& step) {
  if (step.may_be_scalar()) step.as(choice<int>({{"fence", 0}, {"pause", 1}}));
  if (!step.may_be_map()) return;
  step.map(
      [](MapReader& map) {
        map.find("compute", duration(), "work without shared lines");
        map.value("repeat", "steps done again and again", [](const Value& steps) {
          steps.list(read_step, {1, 100});
        });
      },
      "step");
}

void read_program(MapReader& map) {
  map.require("name", text(), "what it is called");
  map.get("threads", integer<std::uint32_t>(1, 4096), 1, "how many run it");
  map.value("objects", "what it works on", [](const Value& objects) {
    objects.entries([](std::string_view, const Value& object) {
      object.map([](MapReader& one) { one.get("padded", boolean(), false, "own line"); });
    });
  });
  map.value("steps", "what it does", [](const Value& steps) { steps.list(read_step); });
}

TEST_CASE("a dry reading gives the schema, recursion included") {
  CHECK(to_json(schema_of("a program", read_program)) == R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "a program",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "name": {
      "description": "what it is called",
      "type": "string"
    },
    "threads": {
      "description": "how many run it",
      "type": "integer",
      "minimum": 1,
      "maximum": 4096,
      "default": 1
    },
    "objects": {
      "description": "what it works on",
      "type": "object",
      "additionalProperties": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "padded": {
            "description": "own line",
            "type": "boolean",
            "default": false
          }
        }
      }
    },
    "steps": {
      "description": "what it does",
      "type": "array",
      "items": {
        "anyOf": [
          {
            "type": "string",
            "enum": [
              "fence",
              "pause"
            ]
          },
          {
            "$ref": "#/$defs/step"
          }
        ]
      }
    }
  },
  "required": [
    "name"
  ],
  "$defs": {
    "step": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "compute": {
          "description": "work without shared lines",
          "type": "string",
          "pattern": "^[0-9]+(\\.[0-9]+)?(ps|ns|us|ms|s)$"
        },
        "repeat": {
          "description": "steps done again and again",
          "type": "array",
          "items": {
            "anyOf": [
              {
                "type": "string",
                "enum": [
                  "fence",
                  "pause"
                ]
              },
              {
                "$ref": "#/$defs/step"
              }
            ]
          },
          "minItems": 1,
          "maxItems": 100
        }
      }
    }
  }
}
)");
}

TEST_CASE("where figures carry sources the schema allows the long form") {
  const auto read = [](MapReader& map) { map.require("hop", latency(), "one way"); };
  const std::string schema = to_json(schema_of("a machine", read, Sources::kAllowed));
  CHECK_THAT(schema, tests::contains_text("\"$ref\": \"#/$defs/figure\""));
  CHECK_THAT(schema, tests::contains_text("\"is\": {"));
}

}  // namespace
}  // namespace hotline::input
