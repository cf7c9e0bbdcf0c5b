// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "measures/elastic.hpp"
#include "measures/series_checks.hpp"
#include "semblance/formula.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/euclidean.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// Four sums, so that additions do not wait for each other. Lanes of longer and shorter bases also
// get values, which are ignored.
void euclidean_lanes(const LanesJob& job) {
  using Tag = hn::CappedTag<float, group_width>;
  const Tag d;
  const std::size_t values = std::min(job.steps, job.group.steps) * job.channels;
  for (std::size_t part = 0; part < job.group.count; part += hn::MaxLanes(d)) {
    const float* HWY_RESTRICT b = job.group.values + part;
    hn::Vec<Tag> sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    std::size_t k = 0;
    for (; k + 4 <= values; k += 4)
      for (std::size_t s = 0; s < 4; ++s) {
        const auto difference =
            hn::Sub(hn::Set(d, job.row[k + s]), hn::Load(d, b + (k + s) * group_width));
        sums[s] = hn::MulAdd(difference, difference, sums[s]);
      }
    for (; k < values; ++k) {
      const auto difference = hn::Sub(hn::Set(d, job.row[k]), hn::Load(d, b + k * group_width));
      sums[0] = hn::MulAdd(difference, difference, sums[0]);
    }
    HWY_ALIGN float sum[group_width];
    hn::Store(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])), d, sum);
    for (std::size_t lane = 0; lane < hn::MaxLanes(d); ++lane) job.results[part + lane] = sum[lane];
  }
}

/// Roots of sums that are float32 numbers.
void roots(const double* HWY_RESTRICT sums, std::size_t count, float* HWY_RESTRICT distances) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> f;
  std::size_t k = 0;
  for (; k + hn::Lanes(d) <= count; k += hn::Lanes(d))
    hn::StoreU(hn::Sqrt(hn::DemoteTo(f, hn::LoadU(d, sums + k))), f, distances + k);
  for (; k < count; ++k) distances[k] = static_cast<float>(std::sqrt(sums[k]));
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(euclidean_lanes);
HWY_EXPORT(roots);

namespace {

/// The Euclidean distance of vectors, images, grids, and series of equal length.
class Euclidean final : public ElasticDistance, public Exportable {
 public:
  static Declaration<Euclidean> declare();
  double operations() const noexcept override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// A vector is a series of one step.
  void check_layout(const Layout&) const override {}
  bool takes_two_groups() const override { return false; }
  void run(const LanesJob& job) const override;
  void prepare_bases(MatrixView bases, Context& context) override;
  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override;
  /// All rows and bases must have one length.
  void check_lengths(MatrixView in, std::size_t first, std::size_t count) const;

  MatrixView bases_;
};

Declaration<Euclidean> Euclidean::declare() {
  Declaration<Euclidean> declaration("similarity/euclidean",
                                     "Euclidean distance of vectors, or of series step by step");
  return distance_parameters(declaration)
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence})
      .symmetric()
      .documentation(
          "The root of the sum of squared differences of all values, of series of all steps and "
          "channels. The distance of copies is exactly 0, and rows far from 0 lose no digits. "
          "Series must have equal lengths: feature/resample makes them so.")
      .complexity("2 vector operations per value")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        near:   {is: similarity/euclidean, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: near}
        test:   {is: evaluator/classification, from: svm})");
}

double Euclidean::operations() const noexcept { return 3 * static_cast<double>(layout().size()); }

void Euclidean::run(const LanesJob& job) const { HWY_DYNAMIC_DISPATCH(euclidean_lanes)(job); }

void Euclidean::prepare_bases(MatrixView bases, Context& context) {
  bases_ = bases;
  ElasticDistance::prepare_bases(bases, context);
}

Formula::Value Euclidean::write(Formula& formula, Formula::Value in) const {
  if (layout().ragged()) throw Error("series cannot be written as a formula; compare vectors");
  const Formula::Value root = formula.square_root(formula.squared_distances(in, bases_));
  const Formula::Value wide = formula.widen(root);
  const auto number = [&](double value) { return formula.number(value, wide); };
  if (as() == "negative") return formula.subtract(formula.number(0, root), root);
  const Formula::Value scaled = formula.divide(wide, number(width()));
  if (as() == "inverse")
    return formula.narrow(formula.divide(number(1), formula.add(number(1), scaled)));
  const Formula::Value power =
      as() == "exponential" ? scaled
                            : formula.multiply(formula.multiply(scaled, scaled), number(0.5));
  return formula.narrow(formula.exponential(formula.subtract(number(0), power)));
}

/// As of other elastic measures, for few rows at a time, whose sums stay in the cache.
void Euclidean::distances(MatrixView in, std::size_t first, MutableMatrixView out,
                          Context& context) const {
  check_finite(in, layout(), RowError::Of::block);
  check_lengths(in, first, out.cols);
  constexpr std::size_t few = 8;
  constexpr double whole = 100;  // all steps are compared
  // A range of the bases is packed for each call.
  const std::size_t most = out.cols < bases() ? in.rows : std::min(in.rows, few);
  std::vector<double> sums(most * out.cols);
  for (std::size_t begin = 0; begin < in.rows; begin += most) {
    const std::size_t rows = std::min(most, in.rows - begin);
    lanes().compare(*this, in.rows_range(begin, rows), first, out.cols, whole, sums.data(),
                    context);
    for (std::size_t i = 0; i < rows; ++i)
      HWY_DYNAMIC_DISPATCH(roots)(sums.data() + i * out.cols, out.cols, out.row(begin + i));
  }
}

void Euclidean::check_lengths(MatrixView in, std::size_t first, std::size_t count) const {
  if (!layout().ragged() || in.rows == 0) return;
  const std::size_t steps = in.size(0) / layout().depth;
  const auto check = [&](std::size_t other) {
    if (other != steps)
      throw Error("series of " + std::to_string(other) + " and of " + std::to_string(steps) +
                  " steps cannot be compared step by step; make their lengths equal with "
                  "feature/resample, or use a measure that warps time, such as similarity/dtw");
  };
  for (std::size_t j = first; j < first + count; ++j) check(lanes().base_steps(j));
  for (std::size_t i = 1; i < in.rows; ++i) check(in.size(i) / layout().depth);
}

}  // namespace

ComponentEntry declare_euclidean() { return Euclidean::declare().entry(); }

}  // namespace semblance::series
#endif
