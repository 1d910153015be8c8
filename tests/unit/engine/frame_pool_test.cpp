#include "sim/engine/frame_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "tests/catch.hpp"

using namespace hotline::engine;

TEST_CASE("a freed frame is given out again for the same size class") {
  void* const first = allocate_frame(100);
  free_frame(first, 100);
  void* const second = allocate_frame(128);
  REQUIRE(second == first);
  free_frame(second, 128);
}

TEST_CASE("frames in use do not overlap, and begin at a cache line") {
  constexpr std::size_t kBytes = 200;
  std::vector<char*> frames;
  for (int i = 0; i < 1000; ++i) frames.push_back(static_cast<char*>(allocate_frame(kBytes)));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    REQUIRE(reinterpret_cast<std::uintptr_t>(frames[i]) % 64 == 0);
    std::memset(frames[i], static_cast<int>(i % 100), kBytes);
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    REQUIRE(frames[i][0] == static_cast<char>(i % 100));
    REQUIRE(frames[i][kBytes - 1] == static_cast<char>(i % 100));
  }
  for (char* const frame : frames) free_frame(frame, kBytes);
}

TEST_CASE("frames of every size can be used to their last byte") {
  for (const std::size_t bytes : {1U, 63U, 64U, 65U, 2047U, 2048U, 2049U, 100'000U}) {
    void* const frame = allocate_frame(bytes);
    std::memset(frame, 1, bytes);
    free_frame(frame, bytes);
  }
}

TEST_CASE("the pool knows which frame it gave out last, and how many are in use") {
  const std::size_t before = frames_in_use();
  void* const first = allocate_frame(64);
  void* const second = allocate_frame(5000);
  REQUIRE(was_allocated_last(second));
  REQUIRE_FALSE(was_allocated_last(first));
  REQUIRE(frames_in_use() == before + 2);
  free_frame(second, 5000);
  free_frame(first, 64);
  REQUIRE(frames_in_use() == before);
}

TEST_CASE("every thread has a pool of its own, which is freed with it") {
  std::size_t in_use = 0;
  std::thread([&in_use] {
    void* const frame = allocate_frame(300);
    in_use = frames_in_use();
    free_frame(frame, 300);
  }).join();
  REQUIRE(in_use == 1);
}
