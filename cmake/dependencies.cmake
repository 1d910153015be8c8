# Third-party libraries, found once here; docs/dependencies.md says which layer may use which.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Catch2 REQUIRED)
find_package(NLopt REQUIRED)
