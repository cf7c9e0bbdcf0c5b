// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/formula.hpp"

namespace semblance::calibrators {

/// How unlikely it is that a sample with given probabilities belongs to each class: the smaller,
/// the more readily the class is in the sample's set.
struct Strangeness {
  /// Romano, Sesia, Candès, Classification with valid and adaptive coverage, 2020: the sum of the
  /// probabilities that are larger than the class's own. If randomized, plus u times its own, where
  /// u is uniform in [0, 1) (section 2, the score E with V and U).
  ///
  /// Else Sadinle, Lei, Wasserman, Least ambiguous set-valued classifiers with bounded error
  /// levels, 2019: 1 minus the class's probability.
  bool adaptive = true;
  bool randomized = true;
  /// u is a hash of the probabilities and of this number: samples with equal probabilities get
  /// equal sets, and each sample's set depends on nothing but its probabilities.
  std::uint64_t salt = 0;
  /// Angelopoulos, Bates, Malik, Jordan, Uncertainty sets for image classifiers using conformal
  /// prediction, 2021: for each place after the first `free` ones in the order of falling
  /// probabilities, this is added. Not negative; only if adaptive.
  double penalty = 0;
  std::size_t free = 1;

  /// One value per class, at most largest(). The most probable class has the smallest one. All are
  /// NaN if a probability is and sets are adaptive.
  void of(std::span<const float> probabilities, std::span<double> out) const;
  double largest(std::size_t classes) const;
  /// of() as a formula, in float64. Throws Error if randomized.
  Formula::Value write(Formula& formula, Formula::Value probabilities) const;
};

/// Rounds a score to float32. A negative one stays negative, others do not become negative.
float narrowed(double score);

/// Rounds scores to float32. Negative ones stay negative, others do not become negative. If the
/// largest one is that of the class `first`, all others before it become smaller, where rounding
/// made them equal.
void narrow_scores(std::span<const double> scores, std::size_t first, std::span<float> out);

/// The same as a formula, but for the last sentence.
Formula::Value narrow_scores(Formula& formula, Formula::Value scores);

}  // namespace semblance::calibrators
