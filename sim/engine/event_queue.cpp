#include "sim/engine/event_queue.hpp"

namespace hotline::engine {

template class BasicEventQueue<40, 22>;

}  // namespace hotline::engine
