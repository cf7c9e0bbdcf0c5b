// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::normalizers {

/// Visual words: points that descriptors are compared with.
class Vocabulary {
 public:
  Vocabulary() = default;
  explicit Vocabulary(FloatMatrix words);

  /// k-means by Lloyd's algorithm, from randomly drawn distinct rows of the sample: at most
  /// `iterations`, fewer if no row changes its word. A word without rows moves to the row farthest
  /// from its word. The same bits for any number of threads. Throws Error if the sample has fewer
  /// rows than requested words.
  static Vocabulary learn(MatrixView sample, std::size_t words, std::size_t iterations,
                          Random random, Context& context);

  std::size_t size() const noexcept { return words_.rows; }
  std::size_t depth() const noexcept { return words_.cols; }
  const FloatMatrix& words() const noexcept { return words_; }

  /// The `count` nearest words of each descriptor, nearest first; ties go to the first. `out` has
  /// count values per descriptor. The result does not depend on other descriptors.
  void nearest(MatrixView descriptors, std::size_t count, std::span<std::uint32_t> out) const;

 private:
  FloatMatrix words_;
  numerics::PackedRows packed_;
  std::vector<float> norms_;  ///< squared
};

}  // namespace semblance::normalizers
