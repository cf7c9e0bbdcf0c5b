// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "learned_metric/metric_search.hpp"

namespace semblance::normalizers {

/// Some rows, in this order.
MetricData rows_of(const MetricData& data, std::span<const std::size_t> rows);

/// The machines of one recursion, one after the other.
class MetricRecursion {
 public:
  /// On some of the rows, which are shuffled: the machine judges itself by the last ones.
  MetricRecursion(const MetricData& data, std::vector<std::size_t> rows, const MetricSearch& search,
                  Context& context);

  /// The machine without a metric, with the best of the widths.
  void first();

  /// The gradients of a machine, by all pairs of columns if full metrics are tried, and its
  /// penalty.
  struct Step {
    std::vector<double> gradients;
    PenaltySearch penalty;
  };
  const Step& step();

  /// The machine in the metric of these gradients; false where they are 0.
  bool next(const Step& step, bool full);

  const std::vector<double>& root() const noexcept { return root_; }
  const KernelMachine& machine() const noexcept { return *machine_; }

 private:
  bool try_width(double width);

  MetricData data_;
  const MetricSearch& search_;
  Context& context_;
  std::vector<double> root_;
  Step step_;
  std::optional<KernelMachine> machine_;
  double width_ = 1;
};

}  // namespace semblance::normalizers
