#pragma once

#include <cstddef>

namespace hotline::engine {

/// Memory for a coroutine frame (or any other short-lived record) of `bytes` bytes, from this
/// thread's free list of that size class, or from operator new if the list is empty.
[[nodiscard]] void* allocate_frame(std::size_t bytes);

/// Gives back memory from allocate_frame; `bytes` must be the number it was asked for.
void free_frame(void* frame, std::size_t bytes) noexcept;

/// What this thread's last allocate_frame returned.
[[nodiscard]] const void* last_allocated_frame();

/// How many freed frames this thread keeps for reuse.
[[nodiscard]] std::size_t pooled_frames();

}  // namespace hotline::engine
