// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/similarity.hpp"

namespace semblance::neighbours {

/// Distances of samples to the bases of a similarity. A Distance counts as it is; of another
/// similarity that compares samples with themselves it is the root of s(x, x) + s(b, b) - 2 s(b,
/// x), where what is within rounding of 0 counts as 0; else it is -s(b, x).
class BaseDistances {
 public:
  /// Binds the similarity, which must outlive this object and keep its place.
  void bind(Similarity& similarity, const Layout& input);

  /// Makes these samples the bases.
  void set_bases(MatrixView bases, std::span<const std::int64_t> numbers, Context& context);
  std::size_t bases() const { return similarity_->bases(); }

  /// Calls take(i, nearness) for each row of `in`: the negatives of its distances to all bases,
  /// finite. A row's values do not depend on other rows.
  void compare(MatrixView in, Context& context,
               const std::function<void(std::size_t, std::span<const float>)>& take) const;

  /// The negatives of the distances, as float64. Throws Error unless it is a distance or -s(b, x).
  Formula::Value write(Formula& formula, Formula::Value in) const;

  void save(StateWriter& state) const;
  /// Throws Error if the state's parts do not fit together.
  void load(const StateReader& state, Context& context);

 private:
  Similarity* similarity_ = nullptr;
  bool roots_ = false;
  std::vector<double> own_;  ///< s(b, b) of each basis, for roots
};

}  // namespace semblance::neighbours
