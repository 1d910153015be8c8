#include "sim/measure/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace hotline::measure {

using engine::Duration;

namespace {

constexpr unsigned kBucketBits = 7;
constexpr std::uint64_t kPerOctave = std::uint64_t{1} << kBucketBits;

/// How many low bits of a value its bucket ignores.
unsigned ignored_bits(std::uint64_t ps) {
  const auto width = static_cast<unsigned>(std::bit_width(ps));
  return width <= kBucketBits + 1 ? 0 : width - kBucketBits - 1;
}

std::size_t bucket_of(std::uint64_t ps) {
  const unsigned ignored = ignored_bits(ps);
  return static_cast<std::size_t>(ignored * kPerOctave + (ps >> ignored));
}

/// How many low bits were ignored for a bucket: for all but the first two octaves its index is
/// ignored * 128 plus a number from 128 to 255.
std::uint64_t ignored_by(std::uint64_t index) {
  return index < 2 * kPerOctave ? 0 : index / kPerOctave - 1;
}

/// The smallest value of a bucket.
std::uint64_t first_of(std::size_t bucket) {
  const std::uint64_t ignored = ignored_by(bucket);
  return (bucket - ignored * kPerOctave) << ignored;
}

std::uint64_t middle_of(std::size_t bucket) {
  const std::uint64_t ignored = ignored_by(bucket);
  return first_of(bucket) + (ignored == 0 ? 0 : std::uint64_t{1} << (ignored - 1));
}

}  // namespace

void Histogram::add(Duration value) {
  const std::size_t bucket = bucket_of(value.ps());
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  ++buckets_[bucket];
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Duration Histogram::mean() const { return count_ == 0 ? Duration() : sum_ / count_; }

Duration Histogram::quantile(double q) const {
  if (count_ == 0) return {};
  const double wanted = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::clamp(static_cast<std::uint64_t>(wanted), std::uint64_t{1}, count_);
  if (rank == count_) return max_;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::clamp(Duration::from_ps(middle_of(i)), min_, max_);
  }
  return max_;
}

std::vector<Histogram::Bucket> Histogram::quarter_octaves() const {
  constexpr std::size_t kTogether = kPerOctave / 4;
  std::vector<Bucket> result;
  for (std::size_t begin = 0; begin < buckets_.size(); begin += kTogether) {
    const auto end = std::min(begin + kTogether, buckets_.size());
    const std::uint64_t count =
        std::accumulate(buckets_.begin() + static_cast<std::ptrdiff_t>(begin),
                        buckets_.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
    if (count == 0) continue;
    result.push_back({Duration::from_ps(first_of(begin)),
                      Duration::from_ps(first_of(begin + kTogether)), count});
  }
  return result;
}

}  // namespace hotline::measure
