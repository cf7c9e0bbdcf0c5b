// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "semblance/component.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::pairs {

/// Transforms of the two samples of pairs, one each; null: the sample stays as it is. The samples
/// of a block are transformed once each, however many pairs have them.
class PartTransforms {
 public:
  using Two = std::array<Transform*, 2>;

  /// The layout of transformed pairs; see Transform::bind().
  Layout bind(const Layout& input, Two transforms);
  /// The most values of a transformed row, of a row of `values` values.
  std::size_t values_of(std::size_t values) const;
  void count_values(MatrixView in, std::span<std::size_t> sizes, Context& context) const;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const;
  void save(StateWriter& state) const;
  void load(const StateReader& state, Context& context) const;

  const Layout& input() const noexcept { return input_; }

 private:
  std::vector<std::size_t> sizes_of(Side side, const DistinctParts& samples,
                                    Context& context) const;

  Two transforms_ = {};
  Layout input_, output_;
};

}  // namespace semblance::pairs
