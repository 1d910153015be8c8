# The front end of web pages: the modules in page/ with the packages of its lock file, bundled by
# esbuild into one C++ file. Sets HOTLINE_PAGE_SOURCE to that file, or to the one that stands for it
# in a build without.

option(HOTLINE_PAGE "Build the pages of hotline report; needs node, npm and the npm registry" ON)
find_program(HOTLINE_NODE NAMES node nodejs)
find_program(HOTLINE_NPM npm)

unset(HOTLINE_PAGE_MODULES CACHE)
set(HOTLINE_PAGE_SOURCE page_absent.cpp)
if(HOTLINE_PAGE AND HOTLINE_NODE AND HOTLINE_NPM)
  set(page_folder ${PROJECT_SOURCE_DIR}/page)
  # In the cache, so that the tests of pages find it.
  set(HOTLINE_PAGE_MODULES ${CMAKE_BINARY_DIR}/page/node_modules CACHE INTERNAL "npm packages")
  set(HOTLINE_PAGE_SOURCE ${CMAKE_BINARY_DIR}/page/page_template.cpp)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${page_folder}/src/*)
  # Scripts of packages are not run: none is needed.
  add_custom_command(OUTPUT ${HOTLINE_PAGE_MODULES}/.package-lock.json
    COMMAND ${CMAKE_COMMAND} -E copy ${page_folder}/package.json ${page_folder}/package-lock.json .
    COMMAND ${HOTLINE_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    DEPENDS ${page_folder}/package.json ${page_folder}/package-lock.json
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/page
    COMMENT "Installing the report page's packages (without network: -DHOTLINE_PAGE=OFF)"
    VERBATIM)
  add_custom_command(OUTPUT ${HOTLINE_PAGE_SOURCE}
    COMMAND ${HOTLINE_NODE} ${page_folder}/build.mjs ${HOTLINE_PAGE_MODULES} ${HOTLINE_PAGE_SOURCE}
    DEPENDS ${page_folder}/build.mjs ${page_sources} ${HOTLINE_PAGE_MODULES}/.package-lock.json
    COMMENT "Bundling the report page"
    VERBATIM)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/page)
else()
  message(STATUS "hotline report is left out: node or npm was not found, or HOTLINE_PAGE is OFF")
endif()
