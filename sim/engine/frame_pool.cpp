#include "sim/engine/frame_pool.hpp"

#include <array>
#include <new>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOTLINE_POISON_FREED_FRAMES 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HOTLINE_POISON_FREED_FRAMES 1
#endif

#ifdef HOTLINE_POISON_FREED_FRAMES
#include <sanitizer/asan_interface.h>
#endif

namespace hotline::engine {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kClasses = 32;  // frames above 2 KiB go straight to operator new
constexpr std::size_t kSlabBytes = std::size_t{64} * 1024;
constexpr std::align_val_t kSlabAlignment{kLineBytes};

constexpr std::size_t size_class(std::size_t bytes) { return (bytes - 1) / kLineBytes; }
constexpr std::size_t class_bytes(std::size_t index) { return (index + 1) * kLineBytes; }

// Under the address sanitizer, using a freed frame is found as if there were no pool.
#ifdef HOTLINE_POISON_FREED_FRAMES
void hide(const void* memory, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(memory, bytes); }
void show(const void* memory, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(memory, bytes); }
#else
void hide(const void*, std::size_t) {}
void show(const void*, std::size_t) {}
#endif

struct FreeFrame {
  FreeFrame* next;
};

/// One thread's free lists. Trivial to make and destroy, so that reaching them costs no check;
/// Slabs below does the cleaning up.
struct FramePool {
  std::array<FreeFrame*, kClasses> free;
  std::byte* fresh;  // the part of the newest slab that was never given out
  std::size_t fresh_bytes;
  void* last;
  std::size_t in_use;
};

FramePool& pool() {
  thread_local constinit FramePool frames{};
  return frames;
}

/// The memory behind one thread's frames, freed when the thread ends; if frames are still in use
/// then, it is left alone.
class Slabs {
 public:
  Slabs() = default;
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  ~Slabs() {
    if (pool().in_use != 0) return;
    pool() = FramePool{};
    for (std::byte* const slab : slabs_) {
      show(slab, kSlabBytes);
      ::operator delete(slab, kSlabAlignment);
    }
  }

  std::byte* add() {
    slabs_.reserve(slabs_.size() + 1);
    slabs_.push_back(static_cast<std::byte*>(::operator new(kSlabBytes, kSlabAlignment)));
    return slabs_.back();
  }

 private:
  std::vector<std::byte*> slabs_;
};

/// A frame that was never used before.
void* fresh_frame(FramePool& frames, std::size_t bytes) {
  thread_local Slabs slabs;
  if (frames.fresh_bytes < bytes) {
    frames.fresh = slabs.add();
    frames.fresh_bytes = kSlabBytes;
    hide(frames.fresh, kSlabBytes);
  }
  std::byte* const frame = frames.fresh;
  frames.fresh += bytes;
  frames.fresh_bytes -= bytes;
  show(frame, bytes);
  return frame;
}

// Out of line, so that allocate_frame saves no registers.
[[gnu::noinline]] void* allocate_slowly(std::size_t bytes) {
  FramePool& frames = pool();
  const std::size_t index = size_class(bytes);
  frames.last = index < kClasses ? fresh_frame(frames, class_bytes(index)) : ::operator new(bytes);
  ++frames.in_use;
  return frames.last;
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  FramePool& frames = pool();
  const std::size_t index = size_class(bytes);
  if (index >= kClasses || frames.free[index] == nullptr) [[unlikely]] {
    return allocate_slowly(bytes);
  }
  FreeFrame* const frame = frames.free[index];
  show(frame, class_bytes(index));
  frames.free[index] = frame->next;
  ++frames.in_use;
  return frames.last = frame;
}

void free_frame(void* frame, std::size_t bytes) noexcept {
  FramePool& frames = pool();
  --frames.in_use;
  const std::size_t index = size_class(bytes);
  if (index >= kClasses) [[unlikely]] {
    ::operator delete(frame);
    return;
  }
  frames.free[index] = new (frame) FreeFrame{frames.free[index]};
  hide(frame, class_bytes(index));
}

bool was_allocated_last(const void* frame) { return frame == pool().last; }

std::size_t frames_in_use() { return pool().in_use; }

}  // namespace hotline::engine
