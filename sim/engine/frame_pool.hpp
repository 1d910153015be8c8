#pragma once

#include <cstddef>

namespace hotline::engine {

/// Memory for a coroutine frame (or any other short-lived record) of `bytes` bytes, from this
/// thread's free list of that size class; frames up to 2 KiB begin at a cache line.
///
/// The memory belongs to the thread, which must be the one that gives it back.
[[nodiscard]] void* allocate_frame(std::size_t bytes);

/// Gives back memory from allocate_frame; `bytes` must be the number it was asked for.
void free_frame(void* frame, std::size_t bytes) noexcept;

/// Whether `frame` is what this thread's last allocate_frame returned.
[[nodiscard]] bool was_allocated_last(const void* frame);

/// How many frames of this thread are in use.
[[nodiscard]] std::size_t frames_in_use();

}  // namespace hotline::engine
