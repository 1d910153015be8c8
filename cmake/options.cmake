# Language, warnings, sanitizers and the flags that every target shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# Invariants are checked, at a speed that tests under a sanitizer can live with.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")

option(HOTLINE_WERROR "Treat every warning as an error, except under a sanitizer" ON)
set(HOTLINE_SANITIZE "" CACHE STRING "Empty, address (with undefined) or thread")
set_property(CACHE HOTLINE_SANITIZE PROPERTY STRINGS "" address thread)

# Fused multiply-add rounds once where two operations round twice; letting each compiler choose
# would let g++ and clang++ builds give different bytes.
add_compile_options(-ffp-contract=off)

# Calls go through the global offset table at once instead of through a stub.
add_compile_options(-fno-plt)

if(HOTLINE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(HOTLINE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT HOTLINE_SANITIZE STREQUAL "")
  message(FATAL_ERROR "HOTLINE_SANITIZE is '${HOTLINE_SANITIZE}'; use address or thread")
endif()

add_library(hotline_warnings INTERFACE)
target_compile_options(hotline_warnings INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wpedantic)
# The manual of GCC advises against -Werror with sanitizers: instrumented code makes it see
# uninitialised uses where there are none. The plain builds judge the same sources.
if(NOT HOTLINE_SANITIZE STREQUAL "")
  target_compile_options(hotline_warnings INTERFACE -Wno-maybe-uninitialized)
elseif(HOTLINE_WERROR)
  target_compile_options(hotline_warnings INTERFACE -Werror)
endif()

find_program(HOTLINE_CCACHE ccache)
if(HOTLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HOTLINE_CCACHE})
endif()
