// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/state.hpp"

namespace semblance::normalizers {

/// A point to subtract from rows, with 48 bits per column: float32 would round the mean of values
/// far from 0 by as much as they differ. Each value is the sum of two float32. For rows near the
/// point x - high is exact, and (x - high) - low has the bits of a subtraction in double that is
/// rounded once; its relative error is never above two roundings.
class Centre {
 public:
  Centre() = default;
  explicit Centre(std::span<const double> values);

  std::size_t size() const noexcept { return values_.size(); }
  const double* values() const noexcept { return values_.data(); }
  const float* high() const noexcept { return high_.data(); }
  const float* low() const noexcept { return low_.data(); }

  void save(StateWriter& state, std::string_view name) const;
  /// Also reads older models, in which a centre is one row of float32.
  static Centre load(const StateReader& state, std::string_view name);

  /// in - centre, written down: of float32 with the bits of float32.
  Formula::Value subtract(Formula& formula, Formula::Value in) const;

 private:
  std::vector<float> high_, low_;
  std::vector<double> values_;  ///< high + low
};

}  // namespace semblance::normalizers
