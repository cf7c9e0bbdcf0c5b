// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <algorithm>
#include <utility>

#include "semblance/random.hpp"

namespace semblance::linear {
namespace {

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

/// The importance of each of the own rows.
std::vector<float> row_importances(const HessianSample& sample, const OwnParts& own,
                                   Context& context) {
  const RowParts parts(sample.rows.rows());
  std::vector<float> importances(own.rows);
  std::vector<double> sum(1);
  sum_over_parts(context, parts, sum, [&](std::size_t part, std::span<double> to) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end && !stopped(context);
         first += block_rows) {
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        float& square = importances[first + r - own.first_row];
        square = static_cast<float>(sample.bias * sample.bias) + square_of(x.row(r), x.cols);
        to[0] += double{square};
      }
      sample.rows.release(first, count);
    }
  });
  const double mean = sum[0] / static_cast<double>(sample.rows.rows());
  for (std::size_t i = 0; i < importances.size(); ++i) {
    const double length = mean > 0 ? double{importances[i]} / mean : 1;
    importances[i] = static_cast<float>(sample.shares[i] * (1 + length) / 2);
  }
  return importances;
}

class DiagonalPreconditioner final : public Preconditioner {
 public:
  explicit DiagonalPreconditioner(std::vector<double> inverse) : inverse_(std::move(inverse)) {}
  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context&) const override {
    for (const std::size_t c : live)
      for (std::size_t j = 0; j < inverse_.size(); ++j) out.row(c)[j] = inverse_[j] * r.row(c)[j];
  }

 private:
  std::vector<double> inverse_;
};

}  // namespace

ChosenRows choose_rows(const HessianSample& sample, std::size_t wanted, Context& context) {
  const OwnParts own = context.collectives().own(RowParts(sample.rows.rows()));
  const std::vector<float> importances =
      context.collectives().gather(row_importances(sample, own, context));
  if (stopped(context)) return {};
  double some = 0, sum = 0;
  for (const float importance : importances) {
    if (importance > 0) ++some;
    sum += double{importance};
  }
  ChosenRows chosen;
  chosen.all = some <= static_cast<double>(wanted);
  const double stretch = chosen.all ? 0 : sum / static_cast<double>(wanted);
  // One random place in each stretch of the cumulated importances, from a fixed stream.
  Random random(1);
  double seen = 0, stretches = 0, place = stretch * random.uniform();
  for (std::size_t i = 0; i < importances.size(); ++i) {
    const double importance = importances[i];
    double places = 0;
    if (importance < stretch)
      for (seen += importance; place < seen; place = stretch * (++stretches + random.uniform()))
        ++places;
    if (i < own.first_row || i >= own.end_row()) continue;
    double stands_for = sample.shares[i - own.first_row];
    if (importance < stretch) stands_for *= places * stretch / importance;
    if (stands_for > 0) chosen.rows.push_back({i, 2 * sample.cost * stands_for});
  }
  return chosen;
}

std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  const std::size_t cols = sample.rows.cols();
  std::vector<double> squares(sample.dimension());
  double shares = 0;
  for (std::size_t first = 0; first < sample.rows.rows(); first += block_rows) {
    if (stopped(context)) return nullptr;
    const MatrixView x = sample.rows.view(first, std::min(block_rows, sample.rows.rows() - first));
    for (std::size_t r = 0; r < x.rows; ++r) {
      const double share = sample.shares[first + r];
      shares += share;
      for (std::size_t k = 0; k < x.size(r); ++k) {
        const std::size_t j = x.columns_of(r)[k];
        const double value = x.row(r)[k], twice = sample.centre.empty() ? 0 : 2 * sample.centre[j];
        squares[j] += share * value * (value - twice);
      }
    }
    sample.rows.release(first, x.rows);
  }
  for (std::size_t j = 0; j < sample.centre.size(); ++j)
    squares[j] += shares * sample.centre[j] * sample.centre[j];
  if (sample.bias != 0) squares[cols] = shares * sample.bias * sample.bias;
  for (double& square : squares) square = 1 / (1 + 2 * sample.cost * square);
  return std::make_unique<DiagonalPreconditioner>(std::move(squares));
}

}  // namespace semblance::linear
