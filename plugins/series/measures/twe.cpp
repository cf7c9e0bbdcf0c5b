// SPDX-License-Identifier: MIT

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/twe.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// A match costs the distance of its two steps, of the two before them, and the stiffness. The
// distance of the two before is the diagonal cell's, in the second plane.
template <bool kVectors, class S>
struct TweCells : SmallestOf<S> {
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples, Smallest::set;
  using typename Smallest::Vec;
  using State = SumAndMore<S>;  // and the distance of the cell's two steps
  static constexpr std::size_t planes = State::planes;
  static constexpr std::size_t rows = rows_at_once<S, kVectors>;
  struct Row {
    const float* x;
    Vec value, removal;
    const float* stiffness;  // of column 0
  };
  struct Column {
    const float* b;
    Vec value, removal;
    std::size_t j;
  };
  TweCells(const LanesJob& job, std::size_t part, const float* middle)
      : Smallest(job, part), channels(kVectors ? job.channels : 1), stiffness(middle) {}

  // Both series have a step of zeros before the first.
  State corner() const { return State::of(Smallest::corner(), set(0)); }
  State outside() const { return State::of(Smallest::outside(), set(0)); }
  State before(std::size_t) const { return outside(); }
  State above(std::size_t) const { return outside(); }
  Row row(std::size_t i) const {
    const float* x = samples + i * (channels + 1);
    return {x, set(x[0]), set(x[channels]), stiffness - i};
  }
  Column column(std::size_t j) const { return {base(j), base(j, 0), base(j, channels), j}; }
  HWY_INLINE State cell(const Row& row, const Column& column, const State& above,
                        const State& diagonal, const State& left) const {
    const Vec own = step_distance<kVectors>(row, column, channels);
    const Vec match = hn::Add(hn::Add(own, diagonal.more()), set(row.stiffness[column.j]));
    const auto removed =
        S::least(S::plus(above.sum(), row.removal), S::plus(left.sum(), column.removal));
    return State::of(S::least(S::plus(diagonal.sum(), match), removed), own);
  }
  std::size_t channels;
  const float* stiffness;
};

template <class S>
using TweNumbers = TweCells<false, S>;
template <class S>
using TweVectors = TweCells<true, S>;

void twe_lanes(const LanesJob& job, const float* stiffness) {
  if (job.channels == 1) return run_sums<TweNumbers>(job, stiffness);
  run_sums<TweVectors>(job, stiffness);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "measures/step_moves.hpp"

namespace semblance::series {

HWY_EXPORT(twe_lanes);

namespace {

/// Time warp edit distance: deletions and matches, with a stiffness that punishes distance in time.
class Twe final : public ElasticDistance {
 public:
  static Declaration<Twe> declare();

 private:
  std::size_t planes(std::size_t channels) const override { return channels + 1; }
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  std::size_t table_planes() const override { return 3; }
  void prepare_bases(MatrixView bases, Context& context) override;
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_twe_program, "twe", 1, 0, stiffness_.values()};
  }

  double nu_ = 0.001;
  double lambda_ = 1;
  ByTimeDifference stiffness_;  // 2 nu |k|
};

Declaration<Twe> Twe::declare() {
  Declaration<Twe> declaration("similarity/twe", "Time warp edit distance of series");
  declaration
      .parameter("nu", &Twe::nu_, "stiffness: cost of one step of distance in time", at_least(0))
      .parameter("lambda", &Twe::lambda_, "cost of deleting a step", at_least(0));
  return elastic_distance(declaration)
      .documentation(
          "The least cost of turning both series into one: deleting step i of a series costs |x_i "
          "- x_(i-1)| + nu + lambda, matching steps i and j costs |b_i - x_j| + |b_(i-1) - "
          "x_(j-1)| + 2 nu |i - j|. Before its first step each series has one of zeros, and the "
          "time of a step is its number. A metric for nu > 0. With several channels |v| is the "
          "length of the vector; channels: independent adds up the costs of the channels.\n\n"
          "window as in similarity/dtw.")
      .reference(
          "Marteau (2009), Time warp edit distance with stiffness adjustment for time series "
          "matching")
      .complexity("n m cells of 9 vector operations each for n and m steps")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        twe:    {is: similarity/twe, nu: 0.001, lambda: 0.5, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: twe}
        test:   {is: evaluator/classification, from: svm})");
}

void Twe::prepare_sample(std::span<const float> series, std::size_t channels, float* steps) const {
  const std::size_t count = series.size() / channels;
  for (std::size_t t = 0; t < count; ++t, steps += channels + 1) {
    std::copy_n(series.data() + t * channels, channels, steps);
    steps[channels] = static_cast<float>(move_length(series, channels, t) + nu_ + lambda_);
  }
}

void Twe::prepare_bases(MatrixView bases, Context& context) {
  stiffness_ = ByTimeDifference(layout().width, [nu = nu_](double k) { return 2 * nu * k; });
  ElasticDistance::prepare_bases(bases, context);
}

void Twe::run(const LanesJob& job) const {
  stiffness_.with(job, [&](const float* middle) { HWY_DYNAMIC_DISPATCH(twe_lanes)(job, middle); });
}

}  // namespace

ComponentEntry declare_twe() { return Twe::declare().entry(); }

}  // namespace semblance::series
#endif
