# Third-party libraries, found once here; docs/dependencies.md says which layer may use which.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(Catch2 REQUIRED)
find_package(NLopt REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)

# Sweeps under mpirun; everything else needs no MPI.
option(HOTLINE_MPI "Build what runs under mpirun, where MPI and Boost.MPI are found" ON)
set(HOTLINE_HAS_MPI OFF)
if(HOTLINE_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
  find_package(Boost 1.81 QUIET OPTIONAL_COMPONENTS mpi serialization)
  if(MPI_CXX_FOUND AND TARGET Boost::mpi)
    set(HOTLINE_HAS_MPI ON)
  endif()
endif()
message(STATUS "Sweeps under mpirun: ${HOTLINE_HAS_MPI}")
