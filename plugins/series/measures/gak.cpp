// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "measures/path_sums.hpp"
#include "measures/series_checks.hpp"
#include "need_sequence.hpp"
#include "semblance/basis_checks.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"

namespace semblance::series {
namespace {

constexpr std::size_t series_taken = 40;
constexpr std::size_t steps_taken = 1000;

struct TakenStep {
  const float* values;
  std::size_t series;
};

std::vector<TakenStep> take_steps(MatrixView series, std::size_t channels) {
  const std::size_t count = std::min(series.rows, series_taken);
  std::vector<TakenStep> taken;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = k * series.rows / count;
    const std::size_t steps = series.size(i) / channels;
    const std::size_t wanted = std::min(steps, steps_taken / count);
    for (std::size_t t = 0; t < wanted; ++t)
      taken.push_back({series.row(i) + t * steps / wanted * channels, i});
  }
  return taken;
}

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The median distance between steps of different series, for at most 1000 evenly spaced steps from
/// at most 40 evenly spaced series; for a single series, between its own steps. 0 with fewer than
/// two steps.
double median_step_distance(MatrixView series, std::size_t channels) {
  const std::vector<TakenStep> taken = take_steps(series, channels);
  std::vector<double> distances;
  for (std::size_t a = 0; a < taken.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (series.rows > 1 && taken[a].series == taken[b].series) continue;
      double sum = 0;
      for (std::size_t c = 0; c < channels; ++c) {
        const double difference = double(taken[a].values[c]) - taken[b].values[c];
        sum += difference * difference;
      }
      distances.push_back(std::sqrt(sum));
    }
  return median(distances);
}

/// The median of the numbers of steps.
double median_length(MatrixView series, std::size_t channels) {
  std::vector<double> lengths;
  lengths.reserve(series.rows);
  for (std::size_t i = 0; i < series.rows; ++i) {
    const std::size_t steps = series.size(i) / channels;
    lengths.push_back(static_cast<double>(steps));
  }
  return median(lengths);
}

/// The number, if the text is a finite number above 0.
std::optional<double> positive_width(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end || !(value > 0) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// The global alignment kernel, normalized: positive semi-definite on series of any length.
class Gak final : public Similarity {
 public:
  static Declaration<Gak> declare() {
    return Declaration<Gak>("similarity/gak", "Global alignment kernel of series")
        .parameter("sigma", &Gak::sigma_,
                   "width of the Gaussian between two steps: a number above 0, or auto: the median "
                   "distance of steps of different bases times the root of the median length")
        .parameter("triangular", &Gak::triangular_,
                   "steps at least this far apart in time are not aligned, and nearer ones count "
                   "less the farther apart they are; 0: any distance",
                   at_least(0))
        .accepts({LayoutKind::sequence})
        .symmetric()
        .documentation(
            "k(b, x) is the sum over all alignments of the product of g / (2 - g) over the aligned "
            "steps, where g = exp(-|b_j - x_i|^2 / (2 sigma^2)); with triangular: T, g is "
            "multiplied by max(0, 1 - |i - j| / T). The result is k(b, x) / sqrt(k(b, b) k(x, x)). "
            "Since g is positive semi-definite and at most 1, so are g / 2 and therefore k "
            "(theorem 1 of Cuturi et al. 2007), with and without triangular, for series of one or "
            "several channels and of any length.\n\n"
            "Sums have exponents of their own for each cell: series of thousands of steps neither "
            "overflow nor vanish before they are normalized. Rounding leaves a relative error of "
            "1e-5 for a thousand steps.")
        .reference(
            "Cuturi (2011), Fast global alignment kernels; Cuturi, Vert, Birkenes and Matsui "
            "(2007), A kernel for time series based on global alignments")
        .complexity("n m cells of 40 vector operations each for n and m steps")
        .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        gak:    {is: similarity/gak, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: gak}
        test:   {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    if (sigma_ != "auto" && !positive_width(sigma_))
      throw Error(
          "sigma: '" + sigma_ +
          "' is neither a number above 0 nor auto (from the distances of the bases' steps)");
  }

  void set_bases(MatrixView bases, std::span<const std::int64_t>, Context& context) override {
    keep(FloatMatrix(bases));
    if (const auto given = positive_width(sigma_)) return use(*given, context);
    const double median = median_step_distance(std::as_const(bases_).view(), layout_.depth);
    if (!(median > 0))
      throw Error(
          "the median distance of steps of different bases is 0, which is no width; give sigma a "
          "number");
    const double steps = median_length(std::as_const(bases_).view(), layout_.depth);
    use(median * std::sqrt(steps), context);
  }

  std::size_t bases() const noexcept override { return bases_.rows; }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    basis_checks::check_room(bases(), out);
    apply_range(in, 0, out, context);
  }

  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const override {
    if (first > bases() || out.cols > bases() - first || out.rows != in.rows)
      throw Error("cannot compare " + std::to_string(in.rows) + " series with the bases [" +
                  std::to_string(first) + ", " + std::to_string(first + out.cols) + ") of " +
                  std::to_string(bases()) + " into " + std::to_string(out.rows) + " rows");
    check_rows(in, RowError::Of::block);
    sums_.check(in, layout_, RowError::Of::block);
    std::vector<double> sums(in.rows * out.cols), own(in.rows);
    lanes_.compare(sums_, in, first, out.cols, 100, sums.data(), context);
    sums_.with_itself(in, layout_, true, own.data(), context);
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < out.cols; ++j)
        out.row(i)[j] =
            static_cast<float>(std::exp2(sums[i * out.cols + j] - (own[i] + own_[first + j]) / 2));
  }

  Abilities abilities() const noexcept override { return {.compares_with_itself = true}; }

  void compare_with_itself(MatrixView rows, float* values) const override {
    check_rows(rows, RowError::Of::block);
    std::fill_n(values, rows.rows, 1.0f);
  }

  double operations() const noexcept override {
    const double steps = static_cast<double>(layout_.width);
    return steps * steps * (40 + 3 * static_cast<double>(layout_.depth));
  }

  bool positive_semidefinite() const noexcept override { return true; }
  bool learns_from_bases() const noexcept override { return sigma_ == "auto"; }

  void save(StateWriter& state) const override {
    state.floats("bases", bases_.view());
    state.number("sigma", learned_sigma_);
  }

  void load(const StateReader& state, Context& context) override {
    keep(state.floats("bases"));
    const double sigma = state.number("sigma");
    if (!(sigma > 0) || !std::isfinite(sigma))
      throw Error("the saved sigma is " + std::to_string(sigma) +
                  ", not a number above 0; train the model again");
    use(sigma, context);
  }

 private:
  void prepare(const Layout& input) override {
    need_sequence(input, "similarity/gak");
    if (input.size() == 0) throw Error("the series have no values; there is nothing to compare");
    layout_ = input;
  }

  void keep(FloatMatrix bases) {
    basis_checks::check_not_empty(bases.view());
    check_rows(bases.view(), RowError::Of::bases);
    bases_ = std::move(bases);
  }

  void use(double sigma, Context& context) {
    learned_sigma_ = sigma;
    sums_ = PathSums({.rate = 1 / (2 * sigma * sigma),
                      .halved = true,
                      .triangle = static_cast<std::size_t>(triangular_),
                      .longest = layout_.width});
    const MatrixView bases = std::as_const(bases_).view();
    sums_.check(bases, layout_, RowError::Of::bases);
    lanes_.set(sums_, bases, layout_, true);
    own_.resize(bases.rows);
    sums_.with_itself(bases, layout_, true, own_.data(), context);
  }

  void check_rows(MatrixView rows, RowError::Of of) const {
    check_series(rows, layout_, of);
    check_finite(rows, layout_, of);
  }

  std::string sigma_ = "auto";
  std::int64_t triangular_ = 0;
  Layout layout_;
  FloatMatrix bases_;
  double learned_sigma_ = 0;  // in use: the parameter, or the value learned from the bases
  PathSums sums_;
  SeriesLanes lanes_;
  std::vector<double> own_;  // of each base with itself
};

}  // namespace

ComponentEntry declare_gak() { return Gak::declare().entry(); }

}  // namespace semblance::series
