# Writes OUTPUT, which defines hotline::experiment::simulator_version(): VERSION and a digest of the
# contents of the files listed in SOURCES, by their names below ROOT. Run as a script.

file(STRINGS ${SOURCES} sources)
list(SORT sources)
set(digests "")
foreach(source IN LISTS sources)
  file(SHA256 ${source} digest)
  file(RELATIVE_PATH name ${ROOT} ${source})
  string(APPEND digests "${name} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "sim/experiment/store.hpp"

namespace hotline::experiment {

std::string_view simulator_version() { return "@VERSION@+@digest@"; }

}  // namespace hotline::experiment
]])
