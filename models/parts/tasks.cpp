#include "models/parts/tasks.hpp"

namespace hotline::models {

Tasks::Tasks(Site& site)
    : records_(site.common_per_thread("task", {{"on_cpu", 32}, {"pi_lock", 32}})),
      threads_(site.threads(), nullptr) {
  for (std::uint32_t task = 0; task < records_->count(); ++task)
    site.set(records_->word(task, 0), 1);
}

Value Tasks::name(Thread& self) {
  threads_[self.id().value] = &self;
  return (Value{self.id().value} + 1) << kFlagBits;
}

}  // namespace hotline::models
