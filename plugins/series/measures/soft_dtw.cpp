// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numbers>
#include <vector>

#include "measures/elastic.hpp"
#include "measures/path_sums.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {
namespace {

/// Soft dynamic time warping: the smooth minimum of the sums of squared differences over all paths.
class SoftDtw final : public ElasticDistance {
 public:
  static Declaration<SoftDtw> declare() {
    Declaration<SoftDtw> declaration("similarity/soft_dtw", "Soft dynamic time warping of series");
    declaration
        .parameter("gamma", &SoftDtw::gamma_,
                   "smoothness: towards 0 the square of dtw, the larger the more paths count",
                   above(0))
        .parameter("divergence", &SoftDtw::divergence_,
                   "subtract the mean of both series' values with themselves, so that a series has "
                   "the distance 0 to itself");
    channels_parameter(declaration);
    return distance_parameters(declaration)
        .accepts({LayoutKind::sequence})
        .symmetric()
        .documentation(
            "d(b, x) = -gamma log sum over all paths of exp(-c / gamma), c being a path's sum of "
            "squared differences. It is below the square of similarity/dtw, and may be below 0; "
            "divergence: true makes it s(b, x) = d(b, x) - d(b, b) / 2 - d(x, x) / 2, which has "
            "its least value 0 at b = x (what rounding leaves below 0 is set to 0). Without "
            "divergence, as: must be negative or exponential, and width a number where the values "
            "are below 0.\n\n"
            "The sum is computed with exponents of its own for each cell, so that neither long "
            "series nor small gamma overflow. With several channels the difference is that of "
            "vectors; channels: independent adds up the channels' distances.")
        .reference(
            "Cuturi and Blondel (2017), Soft-DTW: a differentiable loss function for time series, "
            "eq. (2); Blondel, Mensch and Vert (2021), Differentiable divergences between time "
            "series, eq. (8)")
        .complexity("n m cells of 25 vector operations each for n and m steps")
        .example(R"(
        series: {is: source/warped_series}
        bases:  {is: basis/random_per_class, per_class: 5, from: series}
        soft:   {is: similarity/soft_dtw, gamma: 0.1, from: series, bases: bases}
        svm:    {is: solver/linear_svm, from: soft}
        test:   {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    ElasticDistance::check_parameters();
    if (!divergence_ && (as() == "gaussian" || as() == "inverse"))
      throw Error("divergence: false gives values below 0, which as: " + as() +
                  " cannot use; write as: negative or exponential");
    if (gamma_ < 1e-6)
      throw Error("gamma is below 1e-6, where soft_dtw is the square of dtw: use similarity/dtw");
  }

 private:
  void run(const LanesJob& job) const override { sums_.run(job); }
  std::size_t table_planes() const override { return sums_.table_planes(); }
  bool takes_two_groups() const override { return sums_.takes_two_groups(); }

  double finish(double accumulated, std::size_t, std::size_t, std::size_t) const override {
    return -gamma_ * std::numbers::ln2 * accumulated;
  }

  void prepare_bases(MatrixView bases, Context& context) override {
    sums_ = PathSums({.rate = 1 / gamma_, .longest = layout().width});
    sums_.check(bases, layout(), RowError::Of::bases);
    ElasticDistance::prepare_bases(bases, context);
    if (divergence_) own_ = with_itself(bases, context);
  }

  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const override {
    sums_.check(in, layout(), RowError::Of::block);
    std::vector<double> sums(in.rows * out.cols);
    lanes().compare(*this, in, first, out.cols, 100, sums.data(), context);
    const std::vector<double> own =
        divergence_ ? with_itself(in, context) : std::vector<double>(in.rows);
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < out.cols; ++j) {
        const double value = finish(sums[i * out.cols + j], 0, 0, 0);
        out.row(i)[j] = static_cast<float>(
            divergence_ ? std::max(0.0, value - (own[i] + own_[first + j]) / 2) : value);
      }
  }

  double self_distance(std::span<const float> row) const override {
    if (divergence_) return 0;
    struct Nothing final : Context {
      void log(LogLevel, std::string_view) override {}
      Random random() const override { return Random(0); }
      StopReason stop_requested() const noexcept override { return StopReason::none; }
      void progress(double, double) override {}
      std::size_t memory_budget() const noexcept override { return 0; }
      std::size_t threads() const noexcept override { return 1; }
      void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
        for (std::size_t i = 0; i < count; ++i) body(i);
      }
    };
    Nothing context;
    const std::size_t offsets[] = {0, row.size()};
    const MatrixView rows{row.data(), 1, layout().size(), 0, offsets};
    return static_cast<float>(with_itself(rows, context)[0]);
  }

  std::vector<double> with_itself(MatrixView rows, Context& context) const {
    std::vector<double> values(rows.rows);
    sums_.with_itself(rows, layout(), dependent(), values.data(), context);
    for (double& value : values) value = finish(value, 0, 0, 0);
    return values;
  }

  double gamma_ = 1;
  bool divergence_ = true;
  PathSums sums_;
  std::vector<double> own_;  // of each base
};

}  // namespace

ComponentEntry declare_soft_dtw() { return SoftDtw::declare().entry(); }

}  // namespace semblance::series
