// SPDX-License-Identifier: MIT
#include "newton/hessian_sample.hpp"

#include <algorithm>
#include <atomic>

namespace semblance::linear {
namespace {

OwnParts own_of(const HessianSample& sample, Context& context) {
  return context.collectives().own(RowParts(sample.rows.rows()));
}

std::span<const float> importances_of(const HessianSample& sample) {
  return sample.importances.empty() ? sample.shares : sample.importances;
}

/// |x|^2, in lanes that the compiler vectorises.
float square_of(const float* x, std::size_t count) noexcept {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t j = 0;
  for (; j + lanes <= count; j += lanes)
    for (std::size_t k = 0; k < lanes; ++k) sums[k] += x[j + k] * x[j + k];
  float total = 0;
  for (const float sum : sums) total += sum;
  for (; j < count; ++j) total += x[j] * x[j];
  return total;
}

/// The cumulated importances below the stretch before each part, and at the end.
std::vector<double> sums_before_parts(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<double> sums(own.count);
  for (std::size_t p = 0; p < own.count; ++p) {
    const std::size_t first = parts.first_row(own.first + p) - own.first_row;
    for (const float x : importances_of(sample).subspan(first, parts.rows_of(own.first + p)))
      if (x < sample.stretch) sums[p] += x;
  }
  std::vector<double> before{0};
  for (const double sum : context.collectives().gather(sums)) before.push_back(before.back() + sum);
  return before;
}

/// One random place, from a fixed stream, in each stretch of the cumulated importances, restricted
/// to an interval of them.
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
  const std::vector<double> before = sums_before_parts(sample, context);
  const Places places(stretch, before[own.first], before[own.end()]);
  for (std::size_t part = own.first; part < own.end(); ++part) {
    double seen = before[part];
    std::size_t place = places.from(seen);
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const double share = sample.shares[i - own.first_row];
      const double importance = importances_of(sample)[i - own.first_row];
      if (importance >= stretch) {
        chosen.push_back({i, 2 * sample.cost * share});
        continue;
      }
      seen += importance;
      double stands_for = 0;
      for (; places.is_before(place, seen); ++place) stands_for += stretch;
      if (stands_for > 0)
        chosen.push_back(
            {i, 2 * sample.cost *
                    (sample.importances.empty() ? stands_for : stands_for * share / importance)});
    }
  }
  return chosen;
}

std::vector<float> row_importances(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<float> squares(own.rows);
  std::vector<double> sum(1);
  sum_over_parts(context, parts, sum, [&](std::size_t part, std::span<double> to) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      if (context.stop_requested() != StopReason::none) return;
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        float& square = squares[first + r - own.first_row];
        square = static_cast<float>(sample.bias * sample.bias) + square_of(x.row(r), x.cols);
        to[0] += double{square};
      }
      sample.rows.release(first, count);
    }
  });
  if (context.stop_requested() != StopReason::none) return {};
  const double mean = sum[0] / static_cast<double>(sample.rows.rows());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const double length = mean > 0 ? double{squares[i]} / mean : 1;
    squares[i] = static_cast<float>(sample.shares[i] * (1 + length) / 2);
  }
  return squares;
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

}  // namespace semblance::linear
