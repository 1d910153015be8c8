// Debian's Boost 1.81 ships Boost.JSON as headers only; its functions are compiled here, once for
// the whole program. Whoever includes <boost/json.hpp> links hotline_input.
#include <boost/json/src.hpp>
