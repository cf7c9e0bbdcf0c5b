// SPDX-License-Identifier: MIT
#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/edr.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

template <bool kVectors>
struct EdrCells : MatchingSteps<kVectors> {
  using Steps = MatchingSteps<kVectors>;
  using Steps::set, Steps::Steps;
  using typename Steps::Column, typename Steps::Row, typename Steps::State, typename Steps::Vec;

  State before(std::size_t i) const { return set(static_cast<float>(i + 1)); }
  State above(std::size_t j) const { return set(static_cast<float>(j + 1)); }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) const {
    const Vec replaced = hn::Add(diagonal, hn::IfThenZeroElse(Steps::match(row, column), set(1)));
    return hn::Min(replaced, hn::Add(hn::Min(above, left), set(1)));
  }
};

void edr_lanes(const LanesJob& job, float tolerance) { run_steps<EdrCells>(job, tolerance); }

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(edr_lanes);

namespace {

/// Edit distance on real sequences: the number of steps to insert, delete or replace.
class Edr final : public ElasticDistance {
 public:
  static Declaration<Edr> declare();

 private:
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_edr_program, "edr", 1, epsilon_};
  }

  double epsilon_ = 0.25;
};

Declaration<Edr> Edr::declare() {
  Declaration<Edr> declaration("similarity/edr", "Edit distance on real sequences");
  declaration.parameter("epsilon", &Edr::epsilon_,
                        "steps match whose values differ by no more than this", at_least(0));
  return elastic_distance(declaration)
      .documentation(
          "How many steps have to be inserted, deleted or replaced until the two series match; a "
          "whole number, not divided by the length. With several channels, steps match where every "
          "channel does; channels: independent adds up the numbers of the channels. Values are "
          "compared as they are: epsilon is in their unit, a fraction of the standard deviation "
          "for normalized series.\n\n"
          "window as in similarity/dtw; steps before the other series' first one may be inserted "
          "or deleted where they are in its reach.")
      .reference(
          "Chen, Oezsu and Oria (2005), Robust and fast similarity search for moving object "
          "trajectories, definition 2")
      .complexity("n m cells of 8 vector operations each for n and m steps")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        edr:    {is: similarity/edr, epsilon: 0.5, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: edr}
        test:   {is: evaluator/classification, from: svm})");
}

void Edr::run(const LanesJob& job) const {
  HWY_DYNAMIC_DISPATCH(edr_lanes)(job, static_cast<float>(epsilon_));
}

}  // namespace

ComponentEntry declare_edr() { return Edr::declare().entry(); }

}  // namespace semblance::series
#endif
