// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/formula.hpp"
#include "similar_bases.hpp"

namespace semblance::neighbours {

/// Turns the similarities of a sample to labelled training samples (the bases) into one score per
/// class: the k most similar bases vote.
///
/// The basis with the larger similarity is nearer; ties go to the lower row number. The winner is
/// the class with the most of the k nearest bases; ties go to the class of the nearest of their
/// bases. With weights, a vote counts by the weight of its basis, and bases of weight 0 are
/// ignored. By distance, a vote also counts by 1 / d, where the similarities are -d; if bases at
/// distance 0 are among the nearest, they alone vote.
class NeighbourVote {
 public:
  static constexpr std::size_t none = SimilarBases::none;

  NeighbourVote() = default;
  /// Basis j is training sample `rows[j]`, of class `labels[j]` in [0, classes); `neighbours` >= 1.
  /// `weights`: one per basis, not negative; empty: 1 each.
  NeighbourVote(std::size_t neighbours, std::size_t classes, std::vector<std::int64_t> rows,
                std::vector<std::int64_t> labels, std::vector<double> weights = {},
                bool by_distance = false);

  std::size_t bases() const noexcept { return bases_.size(); }
  std::size_t classes() const noexcept { return classes_; }
  const std::vector<std::int64_t>& rows() const noexcept { return bases_.rows(); }
  const std::vector<std::int64_t>& labels() const noexcept { return labels_; }
  const std::vector<double>& weights() const noexcept { return bases_.weights(); }
  bool weighted() const noexcept { return by_distance_ || !weights().empty(); }

  const SimilarBases& similar_bases() const noexcept { return bases_; }

  /// Writes one score per class. `similarities` has one finite value per basis. Basis `left_out`
  /// does not count; at least `neighbours` other bases must remain.
  ///
  /// One neighbour: the largest similarity to a basis of the class; classes that tie with the
  /// winner get the next smaller float, and a class without bases the smallest. Several: the votes
  /// of the class, plus 1 - r / (classes + 1), where its nearest basis, whether it votes or not, is
  /// the r-th among the nearest bases of the classes (from 1); a class without bases gets 0. With
  /// weights: the sum of the weights of the class's votes; classes that tie with the winner get the
  /// next smaller float.
  ///
  /// Returns false if all similarities are equal, so that only row numbers decided.
  bool score(std::span<const float> similarities, std::size_t left_out,
             std::span<float> scores) const;

  /// The scores of several neighbours without weights for a row of similarities.
  Formula::Value write(Formula& formula, Formula::Value similarities) const;

 private:
  struct Standing;
  bool nearer(std::span<const float> similarities, std::size_t a, std::size_t b) const noexcept {
    return bases_.nearer(similarities, a, b);
  }
  Standing standing(std::span<const float> similarities, std::size_t left_out) const;
  void score_nearest(std::span<const float> similarities, const Standing& standing,
                     std::span<float> scores) const;
  void score_weighted_votes(std::span<const float> similarities, Standing& standing,
                            std::span<float> scores) const;
  void score_votes(std::span<const float> similarities, const Standing& standing,
                   std::span<float> scores) const;

  std::size_t neighbours_ = 1;
  std::size_t classes_ = 0;
  bool by_distance_ = false;
  SimilarBases bases_;
  std::vector<std::int64_t> labels_;
};

}  // namespace semblance::neighbours
