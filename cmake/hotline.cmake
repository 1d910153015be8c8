# What a folder's CMakeLists.txt is written with: one call a library, test or benchmark.

# hotline_layer(NAME SOURCES file... [DEPENDS layer...] [PRIVATE external...])
# Makes the static library hotline_NAME (header-only without SOURCES). DEPENDS names layers without
# the prefix; third-party targets go to PRIVATE, so that their headers stay inside the layer.
function(hotline_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "SOURCES;DEPENDS;PRIVATE")
  if(layer_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hotline_layer(${name}): unknown argument ${layer_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM layer_DEPENDS PREPEND hotline_)
  if(layer_SOURCES)
    add_library(hotline_${name} STATIC ${layer_SOURCES})
    target_include_directories(hotline_${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(hotline_${name}
      PUBLIC ${layer_DEPENDS}
      PRIVATE hotline_warnings ${layer_PRIVATE})
  else()
    add_library(hotline_${name} INTERFACE)
    target_include_directories(hotline_${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(hotline_${name} INTERFACE ${layer_DEPENDS} ${layer_PRIVATE})
  endif()
endfunction()

# hotline_test(NAME SOURCES file... LINK target... [LABELS label...] [SLOW_CASES] [NEEDS_HOTLINE])
# Makes a Catch2 program and registers it with ctest, run from the top of the source tree in random
# order; a failure prints the seed. SLOW_CASES registers the cases tagged [slow] as a second test
# NAME.slow with the label slow. NEEDS_HOTLINE builds the program hotline first and passes its path
# in the environment variable HOTLINE_BINARY.
function(hotline_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "SLOW_CASES;NEEDS_HOTLINE" "" "SOURCES;LINK;LABELS")
  if(test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hotline_test(${name}): unknown argument ${test_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${name} ${test_SOURCES})
  target_link_libraries(${name} PRIVATE hotline_warnings hotline_test_main ${test_LINK})
  if(test_SLOW_CASES)
    hotline_register_test(${name} ${name} "~[slow]")
    hotline_register_test(${name}.slow ${name} "[slow]")
    set_property(TEST ${name}.slow APPEND PROPERTY LABELS slow)
  else()
    hotline_register_test(${name} ${name} "")
  endif()
endfunction()

# Used by hotline_test alone; reads its parsed arguments.
function(hotline_register_test test program filter)
  add_test(NAME ${test}
    COMMAND ${program} ${filter} --order rand --rng-seed time
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_property(TEST ${test} APPEND PROPERTY LABELS ${test_LABELS})
  if(test_NEEDS_HOTLINE)
    add_dependencies(${program} hotline)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "HOTLINE_BINARY=$<TARGET_FILE:hotline>")
  endif()
endfunction()

# hotline_bench(NAME SOURCES file... LINK target...): a benchmark program, built but not a test.
function(hotline_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 bench "" "" "SOURCES;LINK")
  if(bench_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hotline_bench(${name}): unknown argument ${bench_UNPARSED_ARGUMENTS}")
  endif()
  add_executable(${name} ${bench_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE hotline_warnings ${bench_LINK})
endfunction()
