// SPDX-License-Identifier: MIT
#include "newton/hessian_sample.hpp"

#include <algorithm>
#include <atomic>

namespace semblance::solvers {
namespace {

OwnParts own_of(const HessianSample& sample, Context& context) {
  return context.collectives().own(RowParts(sample.rows.rows()));
}

/// What the shares below the stretch add up to before each part, and before the end.
std::vector<double> shares_before_parts(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<double> sums(own.count);
  for (std::size_t p = 0; p < own.count; ++p) {
    const std::size_t first = parts.first_row(own.first + p) - own.first_row;
    for (const float share : sample.shares.subspan(first, parts.rows_of(own.first + p)))
      if (share < sample.stretch) sums[p] += share;
  }
  std::vector<double> before{0};
  for (const double sum : context.collectives().gather(sums)) before.push_back(before.back() + sum);
  return before;
}

/// One place in each stretch of the cumulated shares, by a fixed random stream; of those that lie
/// between two cumulated shares.
class Places {
 public:
  Places(double stretch, double from, double to)
      : stretch_(stretch), first_(static_cast<std::size_t>(from / stretch)) {
    Random random(1);
    for (std::size_t i = 0; i < first_; ++i) random.uniform();
    for (double i = static_cast<double>(first_); i <= to / stretch + 1; ++i)
      places_.push_back(stretch * (i + random.uniform()));
  }
  /// The first place that is not before this one.
  std::size_t from(double cumulated) const {
    return static_cast<std::size_t>(std::lower_bound(places_.begin(), places_.end(), cumulated) -
                                    places_.begin());
  }
  bool is_before(std::size_t place, double cumulated) const {
    return place < places_.size() && places_[place] < cumulated;
  }

 private:
  double stretch_;
  std::size_t first_;
  std::vector<double> places_;
};

}  // namespace

std::vector<WeightedRow> choose_rows(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<WeightedRow> chosen;
  const double stretch = sample.stretch;
  if (stretch == 0) {
    for (std::size_t i = 0; i < own.rows; ++i)
      if (const double share = sample.shares[i]; share > 0)
        chosen.push_back({own.first_row + i, 2 * sample.cost * share});
    return chosen;
  }
  const std::vector<double> before = shares_before_parts(sample, context);
  const Places places(stretch, before[own.first], before[own.end()]);
  for (std::size_t part = own.first; part < own.end(); ++part) {
    double seen = before[part];
    std::size_t place = places.from(seen);
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const double share = sample.shares[i - own.first_row];
      if (share >= stretch) {
        chosen.push_back({i, 2 * sample.cost * share});
        continue;
      }
      seen += share;
      double stands_for = 0;
      for (; places.is_before(place, seen); ++place) stands_for += stretch;
      if (stands_for > 0) chosen.push_back({i, 2 * sample.cost * stands_for});
    }
  }
  return chosen;
}

std::vector<double> column_squares(const HessianSample& sample, Context& context) {
  if (context.stop_requested() != StopReason::none) return {};
  const std::size_t cols = sample.rows.cols();
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::atomic<bool> complete{true};
  std::vector<double> total(sample.dimension());
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sum) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      if (context.stop_requested() != StopReason::none) {
        complete = false;
        return;
      }
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        const float share = sample.shares[first + r - own.first_row];
        if (share == 0) continue;
        const float* values = x.row(r);
        for (std::size_t k = 0; k < x.size(r); ++k)
          sum[x.sparse() ? x.columns_of(r)[k] : k] +=
              double{share} * (double{values[k]} * double{values[k]});
        if (sample.bias != 0) sum[cols] += share * sample.bias * sample.bias;
      }
      sample.rows.release(first, count);
    }
  });
  if (!complete) return {};
  for (double& sum : total) sum *= 2 * sample.cost;
  return total;
}

}  // namespace semblance::solvers
