#include "sim/measure/table.hpp"

namespace hotline::measure {

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::kText:
      return "text";
    case Unit::kCount:
      return "count";
    case Unit::kNanoseconds:
      return "ns";
    case Unit::kPercent:
      return "%";
    case Unit::kRatio:
      return "ratio";
    case Unit::kPerSecond:
      return "1/s";
  }
  return "";
}

}  // namespace hotline::measure
