// SPDX-License-Identifier: MIT
#include <algorithm>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/msm.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// A split or merge of step a, next to `previous` and aligned with `other`, costs c if a is between
// the two, else c plus its distance to the nearer one: |a - other| clamped to the interval from a
// to `previous`. The difference a - previous is prepared as the two ends of the clamp.
template <class S>
struct MsmCells : SmallestOf<S> {
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples, Smallest::set;
  using typename Smallest::State, typename Smallest::Vec;
  static constexpr bool in_pairs = S::planes == 1;
  MsmCells(const LanesJob& job, std::size_t part, float cost) : Smallest(job, part), c(set(cost)) {}
  struct Step {
    Vec value, low, high;
  };
  using Row = Step;
  using Column = Step;
  Row row(std::size_t i) const {
    const float* x = samples + 3 * i;
    return {set(x[0]), set(x[1]), set(x[2])};
  }
  Column column(std::size_t j) const { return {base(j, 0), base(j, 1), base(j, 2)}; }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) const {
    const Vec difference = hn::Sub(row.value, column.value);
    const Vec down = hn::Abs(hn::Min(hn::Max(difference, row.low), row.high));
    const Vec right = hn::Abs(hn::Min(hn::Max(difference, column.low), column.high));
    const State split = S::plus(S::least(S::plus(above, down), S::plus(left, right)), c);
    return S::least(S::plus(diagonal, hn::Abs(difference)), split);
  }
  Vec c;
};

// "Between" is in the ball over the way from `previous` to `other`: where the angle at the step is
// 90 degrees or more, which the three squared distances say. Those to `other` are of neighbouring
// cells, in the second plane.
template <class S>
struct MsmVectorCells : SmallestOf<S> {
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples, Smallest::set;
  using typename Smallest::Vec;
  using State = SumAndMore<S>;  // and the squared distance of the cell's two steps
  static constexpr std::size_t planes = State::planes;
  static constexpr std::size_t rows = rows_at_once<S, true>;
  struct Row {
    const float* x;
    Vec move, squared_move;  // from the previous step
  };
  struct Column {
    const float* b;
    Vec move, squared_move;
  };
  MsmVectorCells(const LanesJob& job, std::size_t part, float cost)
      : Smallest(job, part), c(set(cost)), channels(job.channels) {}

  State corner() const { return State::of(Smallest::corner(), set(0)); }
  State outside() const { return State::of(Smallest::outside(), set(0)); }
  State before(std::size_t) const { return outside(); }
  State above(std::size_t) const { return outside(); }
  Row row(std::size_t i) const {
    const float* x = samples + i * (channels + 1);
    return {x, set(x[channels]), hn::Mul(set(x[channels]), set(x[channels]))};
  }
  Column column(std::size_t j) const {
    const Vec move = base(j, channels);
    return {base(j), move, hn::Mul(move, move)};
  }
  HWY_INLINE Vec split(Vec squared_move, Vec move, Vec squared, Vec distance, Vec other) const {
    const auto between = hn::Le(hn::Add(squared_move, squared), other);
    return hn::Add(c, hn::IfThenZeroElse(between, hn::Min(move, distance)));
  }
  HWY_INLINE State cell(const Row& row, const Column& column, const State& above,
                        const State& diagonal, const State& left) const {
    const Vec squared = squared_distance<Vec>(row.x, column.b, channels);
    const Vec distance = hn::Sqrt(squared);
    const Vec down = split(row.squared_move, row.move, squared, distance, above.more());
    const Vec right = split(column.squared_move, column.move, squared, distance, left.more());
    const auto best = S::least(S::plus(above.sum(), down), S::plus(left.sum(), right));
    return State::of(S::least(S::plus(diagonal.sum(), distance), best), squared);
  }
  Vec c;
  std::size_t channels;
};

void msm_lanes(const LanesJob& job, float cost) {
  if (job.channels == 1) return run_sums<MsmCells>(job, cost);
  run_sums<MsmVectorCells>(job, cost);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "measures/step_moves.hpp"

namespace semblance::series {

HWY_EXPORT(msm_lanes);

namespace {

/// Move-split-merge: the least cost of turning one series into the other by moving, splitting and
/// merging steps.
class Msm final : public ElasticDistance {
 public:
  static Declaration<Msm> declare();

 private:
  std::size_t planes(std::size_t channels) const override {
    return channels == 1 ? 3 : channels + 1;
  }
  void prepare_base(std::span<const float> series, std::size_t channels,
                    float* steps) const override;
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  std::size_t table_planes() const override { return 4; }
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_msm_program, "msm", 1, c_};
  }

  double c_ = 1;
};

Declaration<Msm> Msm::declare() {
  Declaration<Msm> declaration("similarity/msm", "Move-split-merge distance of series");
  declaration.parameter("c", &Msm::c_, "cost of a split or a merge", at_least(0));
  return elastic_distance(declaration)
      .documentation(
          "The least cost of turning one series into the other: moving a step by v costs |v|; "
          "splitting a step in two, or merging two, costs c where the new value lies between its "
          "neighbours in both series, else c and the distance to the nearer of them. A metric that "
          "takes values as they are, unlike erp. With several channels |v| is the length of the "
          "vector, and between two steps lies what is inside the ball that has the way from one to "
          "the other as its diameter; channels: independent adds up the costs of the channels.\n\n"
          "window as in similarity/dtw.")
      .reference(
          "Stefan, Athitsos and Das (2013), The move-split-merge metric for time series; for "
          "several channels Shifaz, Pelletier, Petitjean and Webb (2023), Elastic similarity and "
          "distance measures for multivariate time series")
      .complexity("n m cells of 14 vector operations each for n and m steps")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        msm:    {is: similarity/msm, c: 0.5, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: msm}
        test:   {is: evaluator/classification, from: svm})");
}

void Msm::prepare_sample(std::span<const float> series, std::size_t channels, float* steps) const {
  if (channels > 1) return add_moves(series, channels, steps);
  for (std::size_t t = 0; t < series.size(); ++t, steps += 3) {
    const float move = t == 0 ? 0 : series[t] - series[t - 1];
    steps[0] = series[t];
    steps[1] = std::min(0.0f, move);
    steps[2] = std::max(0.0f, move);
  }
}

void Msm::prepare_base(std::span<const float> series, std::size_t channels, float* steps) const {
  if (channels > 1) return add_moves(series, channels, steps);
  prepare_sample(series, channels, steps);
  // The difference of a cell is x - b, and a base's way is clamped by b - x.
  for (std::size_t t = 0; t < series.size(); ++t, steps += 3) {
    const float low = steps[1];
    steps[1] = -steps[2];
    steps[2] = -low;
  }
}

void Msm::run(const LanesJob& job) const {
  HWY_DYNAMIC_DISPATCH(msm_lanes)(job, static_cast<float>(c_));
}

}  // namespace

ComponentEntry declare_msm() { return Msm::declare().entry(); }

}  // namespace semblance::series
#endif
