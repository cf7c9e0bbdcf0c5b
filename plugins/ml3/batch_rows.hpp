// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"
#include "weighting.hpp"

namespace semblance::ml3 {

/// The samples of batches, with the values for judging them (Weighting::values()), from any rank.
/// Their owners send them in one message for several batches; on a single rank they are read in
/// place.
class BatchRows {
 public:
  BatchRows(const Problem& problem, const Weighting& weighting, std::size_t batch,
            const Surroundings& surroundings);

  /// Prepares for another order.
  void forget() noexcept { count_ = 0; }

  /// Makes order[first, first + count) available, at most a batch. Collective.
  void reach(std::span<const std::uint32_t> order, std::size_t first, std::size_t count);

  /// Prefetches a few samples after the i-th, as far as they are on this rank, since the order is
  /// random.
  void expect(std::size_t i) const noexcept;

  /// The row of order[i], which must have been reached.
  const float* row(std::size_t i) const noexcept;
  std::span<const float> values(std::size_t i) const noexcept;

  /// Values of the longest message on any rank, for samples of `rows` with a given number of values
  /// each.
  static std::size_t message_values(std::size_t rows, std::size_t values,
                                    std::size_t batch) noexcept;

 private:
  void fetch(std::span<const std::uint32_t> samples);
  std::size_t owner(std::uint32_t sample) const noexcept;

  const Problem& problem_;
  const Weighting& weighting_;
  const Surroundings& surroundings_;
  std::size_t width_;              // of a sample in a message
  std::size_t most_;               // samples of a message
  std::vector<std::size_t> ends_;  // of the ranks' rows
  std::span<const std::uint32_t> order_;
  std::size_t first_ = 0;  // of the order, in the last message
  std::size_t count_ = 0;
  std::vector<float> message_;
  std::vector<std::size_t> places_;  // in the message, of each sample
};

}  // namespace semblance::ml3
