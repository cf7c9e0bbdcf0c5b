// SPDX-License-Identifier: MIT
#include "batch_rows.hpp"

#include <hwy/cache_control.h>

#include <algorithm>

#include "listed_rows.hpp"
#include "prefetch.hpp"

namespace semblance::ml3 {
namespace {

/// Values of a message: 16 MiB, so that the latency of a message is negligible.
constexpr std::size_t most_values = std::size_t{1} << 22;
constexpr std::size_t most_samples = 4096;

/// Whole batches, so that the end of a message does not split one.
std::size_t samples_of_message(std::size_t width, std::size_t batch) noexcept {
  const std::size_t fit = std::min(most_samples, most_values / std::max<std::size_t>(width, 1));
  return std::max<std::size_t>(fit / batch, 1) * batch;
}

}  // namespace

BatchRows::BatchRows(const Problem& problem, const Weighting& weighting, std::size_t batch,
                     const Surroundings& surroundings)
    : problem_(problem),
      weighting_(weighting),
      surroundings_(surroundings),
      width_(problem.rows.cols + weighting.values_a_sample()),
      most_(samples_of_message(width_, batch)) {
  const RowParts parts(problem.rows.rows);
  const std::size_t ranks = surroundings.ranks().ranks();
  for (std::size_t r = 0; ranks > 1 && r < ranks; ++r)
    ends_.push_back(parts_of(parts, r, ranks).end_row());
}

std::size_t BatchRows::message_values(std::size_t rows, std::size_t values,
                                      std::size_t batch) noexcept {
  return std::min(rows, samples_of_message(values, batch)) * values;
}

void BatchRows::reach(std::span<const std::uint32_t> order, std::size_t first, std::size_t count) {
  order_ = order;
  if (ends_.empty() || (first >= first_ && first + count <= first_ + count_)) return;
  first_ = first;
  count_ = std::min(most_, order.size() - first);
  fetch(order.subspan(first_, count_));
}

std::size_t BatchRows::owner(std::uint32_t sample) const noexcept {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, std::size_t{sample}) -
                                  ends_.begin());
}

void BatchRows::fetch(std::span<const std::uint32_t> samples) {
  Collectives& ranks = surroundings_.ranks();
  // By rank, and within a rank in the order of the samples: the order of arrival.
  std::vector<std::size_t> next(ends_.size() + 1);
  for (const std::uint32_t sample : samples) ++next[owner(sample) + 1];
  for (std::size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];
  const std::size_t before = next[ranks.rank()], own = next[ranks.rank() + 1] - before;
  places_.resize(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) places_[i] = next[owner(samples[i])]++;

  std::vector<float> mine(own * width_);
  surroundings_.parallel_for(block_count(samples.size()), [&](std::size_t b) {
    const std::size_t end = std::min((b + 1) * block_rows, samples.size());
    for (std::size_t i = b * block_rows; i < end; ++i) {
      if (places_[i] - before >= own) continue;
      float* to = mine.data() + (places_[i] - before) * width_;
      std::copy_n(problem_.rows.row(samples[i]), problem_.rows.cols, to);
      std::ranges::copy(weighting_.values(samples[i]), to + problem_.rows.cols);
    }
  });
  message_ = ranks.gather(mine);
}

void BatchRows::expect(std::size_t i) const noexcept {
  constexpr std::size_t behind = 8;
  if (!ends_.empty() || i + behind >= order_.size()) return;
  const std::uint32_t sample = order_[i + behind];
  hwy::Prefetch(&problem_.labels[sample]);
  if (problem_.listed != nullptr)
    problem_.listed->expect(sample);
  else
    prefetch(problem_.rows.row_span(sample));
  prefetch(weighting_.values(sample));
}

const float* BatchRows::row(std::size_t i) const noexcept {
  if (ends_.empty()) return problem_.rows.row(order_[i]);
  return message_.data() + places_[i - first_] * width_;
}

std::span<const float> BatchRows::values(std::size_t i) const noexcept {
  if (ends_.empty()) return weighting_.values(order_[i]);
  return {row(i) + problem_.rows.cols, width_ - problem_.rows.cols};
}

}  // namespace semblance::ml3
