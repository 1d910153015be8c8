#pragma once

#include <memory>
#include <vector>

#include "models/make.hpp"

namespace hotline::models {

/// The threads as locks of the kernel know them: a word can hold one, with room for flags in its
/// lowest bits, and each has a record in memory, which a spinner reads to see whether it runs.
class Tasks {
 public:
  static constexpr unsigned kFlagBits = 3;
  static constexpr Value kFlags = (Value{1} << kFlagBits) - 1;

  explicit Tasks(Site& site);

  /// What stands for the thread in a word; never 0. Lets thread() find it from now on.
  Value name(Thread& self);
  /// The thread that a word holds, whatever its flags.
  Thread& thread(Value word) const { return *threads_[index(word)]; }
  /// Of the thread that a word holds.
  Word on_cpu(Value word) const { return records_->word(index(word), 0); }
  Word pi_lock(Value word) const { return records_->word(index(word), 1); }

  /// The number of the thread that a word holds.
  static std::size_t index(Value word) { return (word >> kFlagBits) - 1; }

 private:
  std::shared_ptr<const Records> records_;
  std::vector<Thread*> threads_;
};

}  // namespace hotline::models
