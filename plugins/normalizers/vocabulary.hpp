// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance {

/// Visual words: points that descriptors are compared with.
class Vocabulary {
 public:
  Vocabulary() = default;
  explicit Vocabulary(FloatMatrix words);

  /// k-means by Lloyd's algorithm, from distinct rows of the sample that are drawn: at most
  /// `iterations`, fewer when no row changes its word. A word that loses all its rows moves to the
  /// row that is farthest from its own word. The same bits on any number of threads. Throws Error
  /// when the sample has fewer rows than words are asked for.
  static Vocabulary learn(MatrixView sample, std::size_t words, std::size_t iterations,
                          Random random, Context& context);

  std::size_t size() const noexcept { return words_.rows; }
  std::size_t depth() const noexcept { return words_.cols; }
  const FloatMatrix& words() const noexcept { return words_; }

  /// For each descriptor the `count` nearest words, nearest first, of equally near ones the first;
  /// `out` has count values a descriptor. Does not depend on the descriptors around.
  void nearest(MatrixView descriptors, std::size_t count, std::span<std::uint32_t> out) const;

 private:
  FloatMatrix words_;
  numerics::PackedRows packed_;
  std::vector<float> norms_;  ///< squared
};

}  // namespace semblance
