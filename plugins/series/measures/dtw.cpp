// SPDX-License-Identifier: MIT
#include <cmath>

#include "measures/elastic.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/dtw.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "measures/elastic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// Four operations per cell: a difference, two minima, a multiply-add.
template <class S>
struct DtwCells : SmallestOf<S> {
  static constexpr bool in_pairs = S::planes == 1;
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples, Smallest::set, Smallest::Smallest;
  using typename Smallest::State, typename Smallest::Vec;
  struct Row {
    Vec x;
  };
  struct Column {
    Vec b;
  };
  Row row(std::size_t i) const { return {set(samples[i])}; }
  Column column(std::size_t j) const { return {base(j, 0)}; }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) const {
    const Vec difference = hn::Sub(row.x, column.b);
    return S::plus_product(S::least(S::least(above, diagonal), left), difference, difference);
  }
};

template <class S>
struct DtwVectorCells : SmallestOf<S> {
  static constexpr std::size_t rows = rows_at_once<S, true>;
  using Smallest = SmallestOf<S>;
  using Smallest::base, Smallest::samples;
  using typename Smallest::State, typename Smallest::Vec;
  DtwVectorCells(const LanesJob& job, std::size_t part)
      : Smallest(job, part), channels(job.channels) {}
  using Row = const float*;
  using Column = const float*;
  Row row(std::size_t i) const { return samples + i * channels; }
  Column column(std::size_t j) const { return base(j); }
  HWY_INLINE State cell(Row row, Column column, State above, State diagonal, State left) const {
    return S::plus(S::least(S::least(above, diagonal), left),
                   squared_distance<Vec>(row, column, channels));
  }
  std::size_t channels;
};

void dtw_lanes(const LanesJob& job) {
  if (job.channels == 1) return run_sums<DtwCells>(job);
  run_sums<DtwVectorCells>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::series {

HWY_EXPORT(dtw_lanes);

namespace {

/// Dynamic time warping: the root of the smallest sum of squared differences along a path of
/// aligned steps.
class Dtw final : public ElasticDistance {
 public:
  static Declaration<Dtw> declare();

 private:
  void run(const LanesJob& job) const override;
  std::optional<gpu::ElasticMeasure> on_device() const override {
    return gpu::ElasticMeasure{&elastic_dtw_program, "dtw"};
  }
  double finish(double accumulated, std::size_t sample_steps, std::size_t base_steps,
                std::size_t parts) const override;
};

Declaration<Dtw> Dtw::declare() {
  Declaration<Dtw> declaration("similarity/dtw", "Dynamic time warping of series");
  return elastic_distance(declaration)
      .documentation(
          "d(b, x) is the root of the smallest sum of squared differences over all paths that lead "
          "from both first steps to both last steps, by one step of b, of x, or of both at a time. "
          "With several channels the difference is that of vectors; channels: independent warps "
          "each channel on its own and adds up their sums before the root is taken.\n"
          "\n"
          "window: 10 leaves the steps i and j with |i - j| <= 0.1 n, rounded up, for n steps "
          "(Sakoe and Chiba 1978); window: 0 is the Euclidean distance. Between series of "
          "differing length the window lies around the straight line from the first pair of steps "
          "to the last: |i / (n - 1) - j / (m - 1)| (L - 1) <= window / 100 L for the longer "
          "length L, rounded up, as in the figures of the UCR archive; pairs that the line passes "
          "within half a step of the shorter series always count, so that there is a path. "
          "Published figures are for series that were each normalized first (feature/znorm).")
      .reference(
          "Sakoe and Chiba (1978), Dynamic programming algorithm optimization for spoken word "
          "recognition; Berndt and Clifford (1994); for several channels Shokoohi-Yekta et al. "
          "(2017)")
      .complexity(
          "n m cells of 4 vector operations each for n and m steps, 16 bases at a time with "
          "AVX-512 and 8 with AVX2; a window of 10 per cent saves four fifths of them")
      .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        dtw:    {is: similarity/dtw, window: 10, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: dtw}
        test:   {is: evaluator/classification, from: svm})");
}

void Dtw::run(const LanesJob& job) const { HWY_DYNAMIC_DISPATCH(dtw_lanes)(job); }

double Dtw::finish(double accumulated, std::size_t, std::size_t, std::size_t) const {
  return std::sqrt(accumulated);
}

}  // namespace

ComponentEntry declare_dtw() { return Dtw::declare().entry(); }

}  // namespace semblance::series
#endif
