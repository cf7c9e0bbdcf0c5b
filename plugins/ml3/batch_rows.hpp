// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"
#include "weighting.hpp"

namespace semblance::ml3 {

/// The samples of batches and what their judgement needs (Weighting::values()), whichever rank has
/// them. They come from their owners in one message for several batches; where there is one rank,
/// they are looked at where they lie.
class BatchRows {
 public:
  BatchRows(const Problem& problem, const Weighting& weighting, std::size_t batch,
            const Surroundings& surroundings);

  /// Another order is to come.
  void forget() noexcept { count_ = 0; }

  /// Makes order[first, first + count) available, at most a batch. Collective.
  void reach(std::span<const std::uint32_t> order, std::size_t first, std::size_t count);

  /// A few samples behind the i-th will be looked at soon: what lies here of them goes into the
  /// cache, since an order is random.
  void expect(std::size_t i) const noexcept;

  /// Of order[i], which has been reached.
  const float* row(std::size_t i) const noexcept;
  std::span<const float> values(std::size_t i) const noexcept;

  /// Values of the longest message, over all ranks, where samples of `rows` have so many each.
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
