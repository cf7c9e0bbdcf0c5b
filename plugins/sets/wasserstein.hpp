// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/distance.hpp"
#include "sinkhorn.hpp"

namespace semblance {

/// The least that it costs to move the points of one set to those of the other.
class Wasserstein final : public Distance {
 public:
  static Declaration<Wasserstein> declare();
  double operations() const noexcept override;

 private:
  void check_layout(const Layout& layout) const override;
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;
  double self_distance(std::span<const float> row) const override;

  bool exact() const noexcept { return method_ != "sinkhorn"; }
  SinkhornCost distance(std::span<const float> b, std::span<const float> x,
                        const std::function<void()>& poll) const;
  double on_line(std::span<const float> b, std::span<const float> x) const;

  double order_ = 1;
  std::string method_ = "auto";
  double epsilon_ = 0.05;
  std::int64_t iterations_ = 1000;
  MatrixView bases_;
  mutable std::atomic<bool> warned_ = false;
};

}  // namespace semblance
