// SPDX-License-Identifier: MIT
#include <cmath>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/wdtw.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

template <bool kVectors, class S>
struct WdtwCells : SmallestOf<S> {
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples, Smallest::set;
  using typename Smallest::State, typename Smallest::Vec;
  static constexpr bool in_pairs = !kVectors && S::planes == 1;
  static constexpr std::size_t rows = rows_at_once<S, kVectors>;
  struct Row {
    const float* x;
    Vec value;
    const float* weights;  // of column 0
  };
  struct Column {
    const float* b;
    Vec value;
    std::size_t j;
  };
  WdtwCells(const LanesJob& job, std::size_t part, const float* middle)
      : Smallest(job, part), channels(kVectors ? job.channels : 1), weights(middle) {}

  Row row(std::size_t i) const {
    const float* x = samples + i * channels;
    return {x, set(x[0]), weights - i};
  }
  Column column(std::size_t j) const { return {base(j), base(j, 0), j}; }
  HWY_INLINE Vec squared(const Row& row, const Column& column) const {
    if constexpr (kVectors) return squared_distance<Vec>(row.x, column.b, channels);
    const Vec difference = hn::Sub(row.value, column.value);
    return hn::Mul(difference, difference);
  }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) const {
    return S::plus_product(S::least(S::least(above, diagonal), left), squared(row, column),
                           set(row.weights[column.j]));
  }
  std::size_t channels;
  const float* weights;
};

template <class S>
using WdtwNumbers = WdtwCells<false, S>;
template <class S>
using WdtwVectors = WdtwCells<true, S>;

void wdtw_lanes(const LanesJob& job, const float* weights) {
  if (job.channels == 1) return run_sums<WdtwNumbers>(job, weights);
  run_sums<WdtwVectors>(job, weights);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(wdtw_lanes);

namespace {

/// Weighted dynamic time warping: steps that are far apart in time cost more.
class Wdtw final : public ElasticDistance {
 public:
  static Declaration<Wdtw> declare();

 private:
  void prepare_bases(MatrixView bases, Context& context) override;
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_wdtw_program, "wdtw", 1, 0, weights_.values()};
  }
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;

  double g_ = 0.05;
  ByTimeDifference weights_;
};

Declaration<Wdtw> Wdtw::declare() {
  Declaration<Wdtw> declaration("similarity/wdtw", "Weighted dynamic time warping of series");
  declaration.parameter("g", &Wdtw::g_,
                        "how sharply the weight rises at half of the longest length; 0: all "
                        "differences in time count the same",
                        at_least(0));
  return elastic_distance(declaration)
      .documentation(
          "Dynamic time warping in which the squared difference of steps i and j counts "
          "w(|i - j|) = 1 / (1 + exp(-g (|i - j| - T / 2))) times: a soft window. T is the longest "
          "length of the source's data, test rows included, so that a weight means the same for "
          "all pairs, also of a longer new series. As in most software, the weight stands before "
          "the square (in the paper inside of it), "
          "and d is the root of the sum. With several channels the difference is that of "
          "vectors; channels: independent warps each channel on its own and adds up their sums "
          "before the root is taken.\n\n"
          "window as in similarity/dtw.")
      .reference(
          "Jeong, Jeong and Omitaomu (2011), Weighted dynamic time warping for time series "
          "classification")
      .complexity("n m cells of 5 vector operations each for n and m steps")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        wdtw:   {is: similarity/wdtw, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: wdtw}
        test:   {is: evaluator/classification, from: svm})");
}

void Wdtw::prepare_bases(MatrixView bases, Context& context) {
  const double half = static_cast<double>(layout().width) / 2;
  weights_ = ByTimeDifference(
      layout().width, [g = g_, half](double k) { return 1 / (1 + std::exp(-g * (k - half))); });
  ElasticDistance::prepare_bases(bases, context);
}

void Wdtw::run(const LanesJob& job) const {
  weights_.with(job, [&](const float* middle) { HWY_DYNAMIC_DISPATCH(wdtw_lanes)(job, middle); });
}

double Wdtw::finish(double accumulated, std::size_t, std::size_t, std::size_t) const {
  return std::sqrt(accumulated);
}

}  // namespace

ComponentEntry declare_wdtw() { return Wdtw::declare().entry(); }

}  // namespace semblance::series
#endif
