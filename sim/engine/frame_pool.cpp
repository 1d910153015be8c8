#include "sim/engine/frame_pool.hpp"

#include <array>
#include <new>

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

constexpr std::size_t kClassBytes = 64;
constexpr std::size_t kClasses = 32;  // frames above 2 KiB go straight to operator new

struct FreeFrame {
  FreeFrame* next;
};

#ifdef HOTLINE_POISON_FREED_FRAMES
// A use of a freed frame is found as if there were no pool; the first word holds the link.
void hide(void* frame, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(frame, bytes); }
void show(void* frame, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(frame, bytes); }
#else
void hide(void*, std::size_t) {}
void show(void*, std::size_t) {}
#endif

constexpr std::size_t size_class(std::size_t bytes) { return (bytes - 1) / kClassBytes; }
constexpr std::size_t class_bytes(std::size_t index) { return (index + 1) * kClassBytes; }

/// One thread's free lists, freed with the thread.
class FramePool {
 public:
  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  ~FramePool() {
    for (std::size_t index = 0; index < kClasses; ++index) {
      while (lists_[index] != nullptr) ::operator delete(take(index));
    }
  }

  void* take(std::size_t index) {
    FreeFrame* const frame = lists_[index];
    if (frame == nullptr) return last_ = ::operator new(class_bytes(index));
    show(frame, class_bytes(index));
    lists_[index] = frame->next;
    return last_ = frame;
  }

  void* take_large(std::size_t bytes) { return last_ = ::operator new(bytes); }

  [[nodiscard]] const void* last() const { return last_; }

  void give(void* memory, std::size_t index) noexcept {
    auto* const frame = new (memory) FreeFrame{lists_[index]};
    lists_[index] = frame;
    hide(frame, class_bytes(index));
  }

  [[nodiscard]] std::size_t size() const {
    std::size_t frames = 0;
    for (std::size_t index = 0; index < kClasses; ++index) frames += length(index);
    return frames;
  }

 private:
  [[nodiscard]] std::size_t length(std::size_t index) const {
    std::size_t frames = 0;
    for (FreeFrame* frame = lists_[index]; frame != nullptr; ++frames) {
      show(frame, sizeof(FreeFrame));
      FreeFrame* const next = frame->next;
      hide(frame, sizeof(FreeFrame));
      frame = next;
    }
    return frames;
  }

  std::array<FreeFrame*, kClasses> lists_{};
  void* last_ = nullptr;
};

FramePool& pool() {
  thread_local FramePool frames;
  return frames;
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  const std::size_t index = size_class(bytes);
  return index < kClasses ? pool().take(index) : pool().take_large(bytes);
}

void free_frame(void* frame, std::size_t bytes) noexcept {
  const std::size_t index = size_class(bytes);
  if (index < kClasses) {
    pool().give(frame, index);
  } else {
    ::operator delete(frame);
  }
}

const void* last_allocated_frame() { return pool().last(); }

std::size_t pooled_frames() { return pool().size(); }

}  // namespace hotline::engine
