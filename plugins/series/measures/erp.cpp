// SPDX-License-Identifier: MIT
#include <cmath>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/erp.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// A prepared step: its channels, its distance to the gap value, and the sum of these so far.
template <bool kVectors, class S>
struct ErpCells : SmallestOf<S> {
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples, Smallest::set;
  using typename Smallest::State, typename Smallest::Vec;
  static constexpr bool in_pairs = !kVectors && S::planes == 1;
  static constexpr std::size_t rows = rows_at_once<S, kVectors>;
  struct Row {
    const float* x;
    Vec value, gap;
  };
  struct Column {
    const float* b;
    Vec value, gap;
  };
  ErpCells(const LanesJob& job, std::size_t part)
      : Smallest(job, part), channels(kVectors ? job.channels : 1) {}

  State before(std::size_t i) const {
    return S::of(set(samples[i * (channels + 2) + channels + 1]));
  }
  State above(std::size_t j) const { return S::of(base(j, channels + 1)); }
  Row row(std::size_t i) const {
    const float* x = samples + i * (channels + 2);
    return {x, set(x[0]), set(x[channels])};
  }
  Column column(std::size_t j) const { return {base(j), base(j, 0), base(j, channels)}; }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) const {
    const State gaps = S::least(S::plus(above, row.gap), S::plus(left, column.gap));
    return S::least(S::plus(diagonal, step_distance<kVectors>(row, column, channels)), gaps);
  }
  std::size_t channels;
};

template <class S>
using ErpNumbers = ErpCells<false, S>;
template <class S>
using ErpVectors = ErpCells<true, S>;

void erp_lanes(const LanesJob& job) {
  if (job.channels == 1) return run_sums<ErpNumbers>(job);
  run_sums<ErpVectors>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(erp_lanes);

namespace {

/// Edit distance with real penalty: skipped steps are compared with a gap value.
class Erp final : public ElasticDistance {
 public:
  static Declaration<Erp> declare();

 private:
  std::size_t planes(std::size_t channels) const override { return channels + 2; }
  void prepare_sample(std::span<const float> series, std::size_t channels,
                      float* steps) const override;
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_erp_program, "erp"};
  }

  double g_ = 0;
};

Declaration<Erp> Erp::declare() {
  Declaration<Erp> declaration("similarity/erp", "Edit distance with real penalty of series");
  declaration.parameter("g", &Erp::g_, "the gap value, that of every channel");
  return elastic_distance(declaration)
      .documentation(
          "The least cost of aligning two series: |b_j - x_i| where two steps are aligned, |b_j - "
          "g| or |x_i - g| where one is deleted. A metric. With several channels |v| is the length "
          "of the vector; channels: independent adds up the costs of the channels.\n\n"
          "window as in similarity/dtw; steps before the other series' first one may be deleted "
          "where they are in its reach.")
      .reference("Chen and Ng (2004), On the marriage of Lp-norms and edit distance, definition 4")
      .complexity("n m cells of 7 vector operations each for n and m steps")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        erp:    {is: similarity/erp, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: erp}
        test:   {is: evaluator/classification, from: svm})");
}

void Erp::prepare_sample(std::span<const float> series, std::size_t channels, float* steps) const {
  double sum = 0;
  for (std::size_t t = 0; t < series.size() / channels; ++t, steps += channels + 2) {
    double squared = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      steps[c] = series[t * channels + c];
      squared += (steps[c] - g_) * (steps[c] - g_);
    }
    steps[channels] = static_cast<float>(std::sqrt(squared));
    sum += std::sqrt(squared);
    steps[channels + 1] = static_cast<float>(sum);
  }
}

void Erp::run(const LanesJob& job) const { HWY_DYNAMIC_DISPATCH(erp_lanes)(job); }

}  // namespace

ComponentEntry declare_erp() { return Erp::declare().entry(); }

}  // namespace semblance::series
#endif
