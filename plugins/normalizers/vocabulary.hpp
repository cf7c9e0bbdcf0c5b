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
  const FloatMatrix& words() const noexcept { return words_; }

  /// The `count` nearest words of each descriptor, nearest first; ties go to the first. `out` has
  /// count values per descriptor. The result does not depend on other descriptors.
  void nearest(MatrixView descriptors, std::size_t count, std::span<std::uint32_t> out) const;

 private:
  FloatMatrix words_;
  numerics::PackedRows packed_;
  std::vector<float> norms_;  ///< squared
};

/// Most words that one descriptor is combined of.
inline constexpr std::size_t most_llc_words = 32;

/// Approximated LLC (Wang et al. 2010, section 3 and eq. (7)): the weights c that minimize |x - B^T
/// c|^2 + lambda |c|^2 for the words B, one per row. With `sum_to_one`, subject to sum c = 1:
/// solved as (C + lambda I) c = 1 and divided by the sum, where C has the products of the words'
/// differences from x and lambda = beta trace C. Otherwise lambda = beta trace B B^T. If all words
/// equal x, they share the weight. Independent of the framework; thread-safe.
void llc_weights(std::span<const float> x, std::span<const float* const> words, double beta,
                 bool sum_to_one, std::span<float> weights);

}  // namespace semblance::normalizers
