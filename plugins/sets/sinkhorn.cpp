// SPDX-License-Identifier: MIT
#include "sinkhorn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinkhorn.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace semblance::sets {
namespace HWY_NAMESPACE {

double log_of_sum(const double* values, const double* costs, std::size_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr hn::ScalableTag<double> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const std::size_t whole = count / lanes * lanes;
  // The remainder is padded with zero terms.
  HWY_ALIGN double rest[lanes];
  std::fill_n(rest, lanes, -std::numeric_limits<double>::infinity());
  for (std::size_t k = whole; k < count; ++k) rest[k - whole] = values[k] - costs[k];
  auto highest = hn::Load(d, rest);
  for (std::size_t k = 0; k < whole; k += lanes)
    highest = hn::Max(highest, hn::Sub(hn::LoadU(d, values + k), hn::LoadU(d, costs + k)));
  const auto top = hn::MaxOfLanes(d, highest);
  // It does not handle exp() of -infinity.
  const auto floor = hn::Set(d, -700.0);
  auto sum = hn::Zero(d);
  if (whole < count) sum = hn::Exp(d, hn::Max(hn::Sub(hn::Load(d, rest), top), floor));
  for (std::size_t k = 0; k < whole; k += lanes) {
    const auto term = hn::Sub(hn::LoadU(d, values + k), hn::LoadU(d, costs + k));
    sum = hn::Add(sum, hn::Exp(d, hn::Max(hn::Sub(term, top), floor)));
  }
  return hn::GetLane(top) + std::log(hn::GetLane(hn::SumOfLanes(d, sum)));
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::sets
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::sets {

HWY_EXPORT(log_of_sum);

double log_sum_exp(const double* values, const double* costs, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(log_of_sum)(values, costs, count);
}

namespace {

/// A plan P(i, j) = exp(row_[i] + column_[j] - cost(i, j) / scale), whose rows and columns are each
/// to have the same mass.
class EntropicPlan {
 public:
  EntropicPlan(std::span<const double> costs, std::size_t rows, std::size_t columns, double scale)
      : costs_(costs),
        rows_(rows),
        columns_(columns),
        scaled_(costs.size()),
        turned_(costs.size()),
        row_(rows),
        column_(columns),
        log_row_mass_(-std::log(static_cast<double>(rows))),
        log_column_mass_(-std::log(static_cast<double>(columns))) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        turned_[j * rows + i] = scaled_[i * columns + j] = costs[i * columns + j] / scale;
  }

  /// Scales every row to its mass, then every column; returns the share of the mass that was in
  /// wrong rows before.
  double iterate() {
    double wrong = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double next =
          log_row_mass_ - log_sum_exp(column_.data(), scaled_.data() + i * columns_, columns_);
      wrong += std::abs(std::expm1(row_[i] - next));
      row_[i] = next;
    }
    for (std::size_t j = 0; j < columns_; ++j)
      column_[j] = log_column_mass_ - log_sum_exp(row_.data(), turned_.data() + j * rows_, rows_);
    return wrong / static_cast<double>(rows_);
  }

  /// The cost of the rounded plan: rows and columns are first cut to their mass, then the remaining
  /// mass is moved from all rows to all columns in proportion to their deficits.
  double rounded_cost() const {
    const double row_mass = 1 / static_cast<double>(rows_);
    const double column_mass = 1 / static_cast<double>(columns_);
    std::vector<double> plan(costs_.size()), row_sum(rows_), column_sum(columns_);
    for (std::size_t i = 0; i < rows_; ++i) {
      double* row = plan.data() + i * columns_;
      for (std::size_t j = 0; j < columns_; ++j)
        row[j] = std::exp(row_[i] + column_[j] - scaled_[i * columns_ + j]);
      row_sum[i] = std::accumulate(row, row + columns_, 0.0);
      const double cut = row_sum[i] > row_mass ? row_mass / row_sum[i] : 1;
      row_sum[i] = 0;
      for (std::size_t j = 0; j < columns_; ++j) column_sum[j] += row[j] *= cut;
    }
    double cost = 0;
    std::vector<double> lacking(columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      const double cut = column_sum[j] > column_mass ? column_mass / column_sum[j] : 1;
      for (std::size_t i = 0; i < rows_; ++i) {
        const double mass = plan[i * columns_ + j] * cut;
        row_sum[i] += mass;
        cost += mass * costs_[i * columns_ + j];
      }
      lacking[j] = std::max(column_mass - column_sum[j] * cut, 0.0);
    }
    const double left = std::accumulate(lacking.begin(), lacking.end(), 0.0);
    if (left <= 0) return cost;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j)
        cost += std::max(row_mass - row_sum[i], 0.0) * lacking[j] / left * costs_[i * columns_ + j];
    return cost;
  }

 private:
  std::span<const double> costs_;
  std::size_t rows_, columns_;
  std::vector<double> scaled_, turned_, row_, column_;
  double log_row_mass_, log_column_mass_;
};

}  // namespace

SinkhornCost sinkhorn_cost(std::span<const double> costs, std::size_t rows, std::size_t columns,
                           const SinkhornLimits& limits, const std::function<void()>& poll) {
  const double mean =
      std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
  if (!(mean > 0)) return {mean, mean == 0};
  EntropicPlan plan(costs, rows, columns, limits.epsilon * mean);
  bool converged = false;
  plan.iterate();  // the mass in wrong rows before the first iteration is meaningless
  for (std::size_t k = 1; k < limits.iterations && !converged; ++k) {
    poll();
    converged = plan.iterate() <= limits.tolerance;
  }
  return {plan.rounded_cost(), converged};
}

}  // namespace semblance::sets
#endif
