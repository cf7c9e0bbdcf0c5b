// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/samples.hpp"

namespace semblance::neighbours {

/// The training samples (bases) that samples are compared with, and which of them are nearest: the
/// basis with the larger similarity is nearer; ties go to the lower row number.
class SimilarBases {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  SimilarBases() = default;
  /// Basis j is training sample `rows[j]`. `weights`: one per basis, not negative; empty: 1 each.
  explicit SimilarBases(std::vector<std::int64_t> rows, std::vector<double> weights = {});

  std::size_t size() const noexcept { return rows_.size(); }
  const std::vector<std::int64_t>& rows() const noexcept { return rows_; }
  const std::vector<double>& weights() const noexcept { return weights_; }
  double weight(std::size_t basis) const noexcept { return weights_.empty() ? 1 : weights_[basis]; }
  /// The sum over all bases.
  double total_weight() const noexcept {
    if (weights_.empty()) return static_cast<double>(size());
    return std::accumulate(weights_.begin(), weights_.end(), 0.0);
  }

  /// The basis of this training sample, or `none`.
  std::size_t base_of(std::int64_t row) const noexcept;

  bool nearer(std::span<const float> similarities, std::size_t a, std::size_t b) const noexcept {
    return similarities[a] > similarities[b] ||
           (similarities[a] == similarities[b] && rows_[a] < rows_[b]);
  }

  /// Adds a basis to the `most` nearest of those so far, unless it is farther: a heap with the
  /// farthest at the front.
  void add(std::span<const float> similarities, std::size_t basis, std::size_t most,
           std::vector<std::size_t>& nearest) const;
  /// Sorts the nearest bases, the nearest first.
  void sort(std::span<const float> similarities, std::vector<std::size_t>& nearest) const;

 private:
  std::vector<std::int64_t> rows_;
  std::vector<double> weights_;
  std::vector<std::pair<std::int64_t, std::size_t>> places_;  ///< row and basis, by row
};

/// Throws Error unless the samples are similarities to training samples, `columns` of them, of
/// which at least `neighbours` have a weight. `weights`: one per training sample; empty: 1 each.
void check_training_bases(const TrainingSet& training, std::size_t columns,
                          std::span<const double> weights, std::size_t neighbours);

/// Throws Error if a similarity of row i of the block is not finite.
void check_similarities(std::span<const float> row, std::size_t i);

/// The basis of a training sample that is to be left out. Throws Error if it is not a basis.
std::size_t basis_to_leave_out(const SimilarBases& bases, std::int64_t row);

/// A neighbour of a sample in a formula; all values are float64.
struct WrittenNeighbour {
  Formula::Value similarity;
  Formula::Value chosen;  ///< one value per basis: 1 for the neighbour, 0 for all others
};

/// The places of bases that tie: the larger one is the lower row number.
Formula::Value write_places(Formula& formula, const SimilarBases& bases);

/// The k nearest bases of a sample with these similarities, float64, the nearest first. Throws
/// Error if bases have weights.
std::vector<WrittenNeighbour> write_nearest(Formula& formula, Formula::Value similarities,
                                            const SimilarBases& bases, std::size_t k);

}  // namespace semblance::neighbours
