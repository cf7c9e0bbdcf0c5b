// SPDX-License-Identifier: MIT
#include <algorithm>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/lcss.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

template <bool kVectors>
struct LcssCells : MatchingSteps<kVectors> {
  using Steps = MatchingSteps<kVectors>;
  using Steps::set, Steps::Steps;
  using typename Steps::Column, typename Steps::Row, typename Steps::State, typename Steps::Vec;

  // Definition 1: the window limits matches only; earlier matches are carried over.
  State carry(State above, State left) const { return hn::Max(above, left); }
  State before(std::size_t) const { return set(0); }
  State above(std::size_t) const { return set(0); }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) const {
    const Vec longer = hn::Add(diagonal, set(1));
    return hn::Max(hn::IfThenElseZero(Steps::match(row, column), longer), hn::Max(above, left));
  }
};

void lcss_lanes(const LanesJob& job, float tolerance) { run_steps<LcssCells>(job, tolerance); }

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(lcss_lanes);

namespace {

/// Longest common subsequence: the share of steps that cannot be matched in order, within a
/// tolerance.
class Lcss final : public ElasticDistance {
 public:
  static Declaration<Lcss> declare();

 private:
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_lcss_program, "lcss", 1, epsilon_};
  }
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;

  double epsilon_ = 0.25;
};

Declaration<Lcss> Lcss::declare() {
  Declaration<Lcss> declaration("similarity/lcss", "Longest common subsequence of series");
  declaration.parameter("epsilon", &Lcss::epsilon_,
                        "steps match whose values differ by no more than this", at_least(0));
  return elastic_distance(declaration)
      .documentation(
          "d(b, x) = 1 - L / min(n, m) for series of n and m steps, L being how many steps can be "
          "matched in order. With several channels, steps match where every channel does; "
          "channels: "
          "independent adds up the distances of the channels. In a window, steps match only where "
          "similarity/dtw would compare them. Values are compared as they are: epsilon is in their "
          "unit, a fraction of the standard deviation for normalized series.")
      .reference(
          "Vlachos, Kollios and Gunopulos (2002), Discovering similar multidimensional "
          "trajectories, definitions 1 and 2")
      .complexity("n m cells of 7 vector operations each for n and m steps")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        lcss:   {is: similarity/lcss, epsilon: 0.5, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: lcss}
        test:   {is: evaluator/classification, from: svm})");
}

void Lcss::run(const LanesJob& job) const {
  HWY_DYNAMIC_DISPATCH(lcss_lanes)(job, static_cast<float>(epsilon_));
}

double Lcss::finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                    std::size_t parts) const {
  return static_cast<double>(parts) -
         accumulated / static_cast<double>(std::min(sample_steps, base_steps));
}

}  // namespace

ComponentEntry declare_lcss() { return Lcss::declare().entry(); }

}  // namespace semblance::series
#endif
