#include "tests/style/layer_rules.hpp"

#include "tests/catch.hpp"

namespace hotline::tests::style {
namespace {

TEST_CASE("an include of an earlier layer is allowed") {
  const Tree tree = {{"sim/machine/a.hpp", "#include \"sim/engine/b.hpp\"\n"},
                     {"models/locks/a.hpp", "#include \"sim/model/lock.hpp\"\n"},
                     {"sim/workload/a.cpp", "#include \"models/catalog.hpp\"\n"}};
  CHECK(to_text(check_layers(tree)).empty());
}

TEST_CASE("an include of a later layer is reported with its line") {
  const Tree tree = {{"sim/engine/a.hpp", "#pragma once\n#include \"sim/machine/b.hpp\"\n"}};
  CHECK(to_text(check_layers(tree)) ==
        "sim/engine/a.hpp:2: engine may not include sim/machine/b.hpp\n");
}

TEST_CASE("models see the model layer and nothing deeper") {
  const Tree tree = {{"models/locks/a.cpp", "#include \"sim/engine/task.hpp\"\n"}};
  CHECK(to_text(check_layers(tree)) ==
        "models/locks/a.cpp:1: models may not include sim/engine/task.hpp\n");
}

TEST_CASE("an include that is not written from the top is reported") {
  const Tree tree = {{"sim/engine/a.cpp", "#include \"a.hpp\"\n"}};
  CHECK(check_layers(tree).size() == 1);
}

TEST_CASE("an include of a folder that is no layer is reported") {
  const Tree tree = {{"sim/cli/a.cpp", "#include \"sim/kernel/a.hpp\"\n"}};
  CHECK(to_text(check_layers(tree)) == "sim/cli/a.cpp:1: kernel is not a layer\n");
}

TEST_CASE("an include inside a comment counts for nothing") {
  const Tree tree = {{"sim/engine/a.hpp", "/*\n#include \"sim/os/b.hpp\"\n*/\n"}};
  CHECK(check_layers(tree).empty());
}

TEST_CASE("two folders that include each other are reported once") {
  const Tree tree = {{"models/counters/b.hpp", "#include \"models/locks/a.hpp\"\n"},
                     {"models/locks/a.hpp", "#include \"models/counters/b.hpp\"\n"}};
  CHECK(to_text(check_two_way_folders(tree)) ==
        "models/counters/b.hpp:1: models/counters and models/locks include each other\n");
}

TEST_CASE("a folder and one that lies in it may include each other") {
  const Tree tree = {{"models/catalog.cpp", "#include \"models/locks/a.hpp\"\n"},
                     {"models/locks/a.cpp", "#include \"models/make.hpp\"\n"}};
  CHECK(check_two_way_folders(tree).empty());
}

TEST_CASE("arrows one way between folders are allowed") {
  const Tree tree = {{"models/counters/b.hpp", "#include \"models/locks/a.hpp\"\n"},
                     {"models/locks/a.hpp", "#include \"models/locks/c.hpp\"\n"}};
  CHECK(check_two_way_folders(tree).empty());
}

TEST_CASE("a third-party header outside its layer is reported") {
  const Tree tree = {{"sim/input/a.cpp", "#include <yaml-cpp/yaml.h>\n"},
                     {"sim/machine/a.cpp", "#include <boost/graph/adjacency_list.hpp>\n"},
                     {"sim/report/a.cpp", "#include <vector>\n#include <CLI/CLI.hpp>\n"},
                     {"sim/workload/a.cpp", "#include <yaml-cpp/yaml.h>\n"}};
  CHECK(to_text(check_third_party(tree)) ==
        "sim/report/a.cpp:2: report may not include CLI/CLI.hpp\n"
        "sim/workload/a.cpp:1: workload may not include yaml-cpp/yaml.h\n");
}

TEST_CASE("a third-party header that no row names is reported") {
  const Tree tree = {{"sim/report/a.cpp", "#include <nlohmann/json.hpp>\n"}};
  CHECK(check_third_party(tree).size() == 1);
}

TEST_CASE("the standard library, the system and the compiler are no third parties") {
  const Tree tree = {{"sim/cli/a.cpp",
                      "#include <unistd.h>\n#include <sys/stat.h>\n"
                      "#include <sanitizer/asan_interface.h>\n"}};
  CHECK(check_third_party(tree).empty());
}

TEST_CASE("a layer that links a later layer is reported") {
  const Tree tree = {
      {"sim/engine/CMakeLists.txt", "hotline_layer(engine\n  SOURCES a.cpp\n  DEPENDS machine)\n"}};
  CHECK(to_text(check_links(tree)) == "sim/engine/CMakeLists.txt:3: engine may not link machine\n");
}

TEST_CASE("a link written without the helper is seen too") {
  const Tree tree = {{"sim/os/CMakeLists.txt", "target_link_libraries(x PRIVATE hotline_cli)\n"}};
  CHECK(to_text(check_links(tree)) == "sim/os/CMakeLists.txt:1: os may not link cli\n");
}

TEST_CASE("a third party that another layer owns may not be linked") {
  const Tree tree = {{"sim/report/CMakeLists.txt",
                      "hotline_layer(report SOURCES a.cpp DEPENDS measure PRIVATE yaml-cpp)\n"}};
  CHECK(to_text(check_links(tree)) ==
        "sim/report/CMakeLists.txt:1: report may not link yaml-cpp\n");
}

TEST_CASE("links of earlier layers and of owned third parties are allowed") {
  const Tree tree = {
      {"models/CMakeLists.txt", "hotline_layer(models SOURCES a.cpp DEPENDS model)\n"},
      {"sim/cli/CMakeLists.txt",
       "add_executable(hotline main.cpp)\n"
       "target_link_libraries(hotline PRIVATE hotline_warnings hotline_report CLI11::CLI11)\n"},
      {"sim/input/CMakeLists.txt",
       "# not the later layers: machine\n"
       "hotline_layer(input SOURCES machine.cpp DEPENDS engine PRIVATE yaml-cpp)\n"}};
  CHECK(to_text(check_links(tree)).empty());
}

}  // namespace
}  // namespace hotline::tests::style
