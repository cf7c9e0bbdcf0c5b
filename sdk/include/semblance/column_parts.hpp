// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

namespace semblance {

/// How a similarity is made of one part per column.
enum class PartsMake { sum, product };

/// An optional interface of similarities that are sums or products over columns: s(b, x) = sum_k or
/// prod_k of p_k(b_k, x_k). The share of each column in a prediction is then computed exactly.
/// Derive from it in addition to Similarity.
class ColumnParts {
 public:
  virtual ~ColumnParts();

  /// Nothing: with these parameters it is neither.
  virtual std::optional<PartsMake> parts_make() const = 0;

  /// parts[k] = p_k(b_k, x_k) for dense rows, in double. Works after set_bases(). Thread-safe.
  virtual void compare_parts(std::span<const float> basis, std::span<const float> x,
                             std::span<double> parts) const = 0;
};

}  // namespace semblance
