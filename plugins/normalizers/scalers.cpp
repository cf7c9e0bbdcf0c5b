// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "row_kernels.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

// Normalizers that shift and scale columns: each learns its two numbers per column in fit().

std::string example_of(const std::string& name, int gamma) {
  return "points: {is: source/banana}\nx:      {is: normalizer/" + name +
         ", from: points}\nsvm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: " +
         std::to_string(gamma) + "}, from: x}\ntest:   {is: evaluator/classification, from: svm}";
}

/// A constant column's deviation is rounding of double: it must not be blown up to one.
bool varies(double deviation, double mean) { return deviation > 1e-13 * std::abs(mean); }

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

/// Warns of columns that vary only within the rounding of their values: they may be meant to be
/// constant, or may have lost their differences to float32.
void warn_of_close_values(const OccurringColumns& columns, std::span<const double> means,
                          std::span<const double> deviations, Context& context) {
  constexpr double rounding = 1e-7;
  std::size_t first = means.size(), count = 0;
  for (std::size_t c = 0; c < means.size(); ++c) {
    if (!varies(deviations[c], means[c]) || deviations[c] >= rounding * std::abs(means[c]))
      continue;
    first = std::min(first, c);
    ++count;
  }
  if (count == 0) return;
  context.log(
      LogLevel::warning,
      "column " + std::to_string(columns.column(first)) +
          (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
          " (counted from 0) hardly varies: around " + short_text(means[first]) +
          " its deviation is " + short_text(deviations[first]) +
          ", as little as rounding to float32 makes; it is scaled to 1 all the same. Remove "
          "the column if it should be constant, else subtract a constant from it first");
}

/// Subtracts each column's training mean and divides by its standard deviation.
class ZScore final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override {
    auto columns = OccurringColumns::of(training, context);
    const auto means = column_means(training.rows, columns, context);
    std::vector<double> scale(means.size(), 1.0);
    if (scale_columns_) {
      const auto deviations = column_deviations(training.rows, columns, means, context);
      for (std::size_t c = 0; c < scale.size(); ++c)
        if (varies(deviations[c], means[c])) scale[c] = inverse_spread(deviations[c]);
      warn_of_close_values(columns, means, deviations, context);
    }
    set(std::move(columns), center_ ? means : std::vector<double>(means.size(), 0.0), scale);
  }

  static Declaration<ZScore> declare() {
    return Declaration<ZScore>("normalizer/zscore",
                               "Scales each column to mean 0 and standard deviation 1")
        .parameter("center", &ZScore::center_, "subtract the mean of the training rows")
        .parameter("scale", &ZScore::scale_columns_,
                   "divide by the standard deviation of the training rows")
        .documentation(
            "Standard deviations are those of the training rows, divided by n. A column that is "
            "constant in training keeps the scale 1, so it becomes 0 there. One that varies by "
            "less than 1e-7 of its mean is scaled, with a warning: that is all that float32 can "
            "hold. Sparse vectors take 'center: false', which leaves zeros as they are.")
        .reference("BE-SVM, section 3.6 and Fig. 5: Z-Score")
        .complexity("fit: two passes over the training rows; apply: one")
        .inexpensive()
        .keeps_columns()
        .distributed()
        .accepts_sparse()
        .accepts_sparse_unless("center", "true")
        .example(example_of("zscore", 1));
  }

 protected:
  void check_keeps_zeros() const override {
    if (center_)
      throw Error(
          "'center: true' would make sparse vectors dense; set 'center: false', or put "
          "feature/dense before it");
  }

 private:
  bool center_ = true;
  bool scale_columns_ = true;
};

/// A quantile of sorted values, by linear interpolation between two of them.
double quantile(const std::vector<float>& sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(low);
  return double{sorted[low]} * (1 - share) + double{sorted[high]} * share;
}

/// Subtracts each column's training median and divides by a spread that few far values do not
/// widen.
class Robust final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override {
    // The width of the middle half of a normal distribution, in deviations.
    constexpr double normal_width = 1.3489795;
    const Rows& rows = training.rows;
    const auto means = column_means(rows, context);
    const auto deviations = column_deviations(rows, means, context);
    std::vector<double> medians(means.size()), scale(means.size(), 1.0);
    visit_columns(rows, context, [&](std::size_t c, std::vector<float>& values) {
      std::ranges::sort(values);
      medians[c] = quantile(values, 0.5);
      const double width = (quantile(values, 0.75) - quantile(values, 0.25)) / normal_width;
      if (varies(deviations[c], means[c]))
        scale[c] = inverse_spread(width > 0 ? std::min(width, deviations[c]) : deviations[c]);
    });
    set(medians, scale);
  }

  static Declaration<Robust> declare() {
    return Declaration<Robust>("normalizer/robust",
                               "Scales each column by its median and the spread of its middle half")
        .documentation(
            "The median of the training rows is subtracted. What is left is divided by the smaller "
            "of the standard deviation and the width of the middle half of the values (from the "
            "quartile .25 to .75, interpolated) divided by 1.349, which is the standard deviation "
            "of normally distributed values; by the standard deviation if the middle half is a "
            "single value. So a few far values neither move nor shrink the others, as they do with "
            "normalizer/zscore; columns of few different values, such as pixels, may come to "
            "outweigh the others. A column that is constant in training keeps the scale 1, so it "
            "becomes 0 there.")
        .reference(
            "Silverman, Density estimation, 1986, equation (3.30): the smaller of both spreads")
        .complexity("fit: n log n per column for n training rows; apply: one pass")
        .inexpensive()
        .keeps_columns()
        .example(example_of("robust", 1));
  }
};

/// Maps each column's training range to [low, high].
class MinMax final : public AffineNormalizer {
 public:
  void check_parameters() const override {
    if (!(low_ < high_)) throw Error("'low' must be smaller than 'high'");
  }

  void fit(const TrainingSet& training, Context& context) override {
    const ColumnRange range = column_ranges(training.rows, context);
    std::vector<double> scale(range.low.size(), 1.0);
    for (std::size_t c = 0; c < scale.size(); ++c)
      if (range.high[c] > range.low[c])
        scale[c] = inverse_spread((range.high[c] - range.low[c]) / (high_ - low_));
    set(range.low, scale);
  }

  static Declaration<MinMax> declare() {
    return Declaration<MinMax>("normalizer/min_max", "Maps each column's range to a given interval")
        .parameter("low", &MinMax::low_, "value that the smallest training value maps to")
        .parameter("high", &MinMax::high_, "value that the largest training value maps to")
        .documentation(
            "Values outside the training range fall outside the interval; they are not clipped. A "
            "column that is constant in training maps to `low` and keeps the scale 1.")
        .complexity("fit and apply: one pass each")
        .inexpensive()
        .keeps_columns()
        .distributed()
        .example(example_of("min_max", 10));
  }

 private:
  float shift() const override { return static_cast<float>(low_); }

  double low_ = 0;
  double high_ = 1;
};

/// Divides each column by its largest absolute value in training.
class MaxAbs final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override {
    auto columns = OccurringColumns::of(training, context);
    const ColumnRange range = column_ranges(training.rows, columns, context);
    std::vector<double> scale(range.low.size(), 1.0);
    for (std::size_t c = 0; c < scale.size(); ++c)
      scale[c] = inverse_spread(std::max(std::abs(range.low[c]), std::abs(range.high[c])));
    set(std::move(columns), std::vector<double>(scale.size(), 0.0), scale);
  }

  static Declaration<MaxAbs> declare() {
    return Declaration<MaxAbs>("normalizer/max_abs",
                               "Divides each column by its largest absolute value")
        .documentation(
            "Training values then lie in [-1, 1], and zeros stay zeros: sparse vectors stay "
            "sparse. A column of zeros keeps the scale 1. Larger values in other rows are not "
            "clipped.")
        .complexity("fit and apply: one pass each")
        .inexpensive()
        .distributed()
        .accepts_sparse()
        .example(example_of("max_abs", 10));
  }
};

/// BE-SVM's normalization, eq. (4): the training mean is subtracted, then everything is divided by
/// the mean l2 norm of the centred training samples. One scale for all columns, which `length` may
/// multiply.
class MeanNorm final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override {
    const auto means = column_means(training.rows, context);
    const double norm = mean_centred_norm(training.rows, means, context);
    const std::vector<double> scale(means.size(), length_ * inverse_spread(norm));
    set(means, scale);
  }

  static Declaration<MeanNorm> declare() {
    return Declaration<MeanNorm>("normalizer/mean_norm",
                                 "Subtracts the mean and divides by the mean norm of centred rows")
        .parameter("length", &MeanNorm::length_,
                   "mean norm of the centred training rows afterwards: with several inputs, how "
                   "much each of these counts beside others",
                   above(0))
        .documentation(
            "phi(x) = length (x - m) / E|x - m|, where m is the mean of the training rows and E|x "
            "- m| the mean (not the root mean square) of the l2 norms of the centred training "
            "rows. Columns keep their relative scale, so several similarity maps become comparable "
            "before they are concatenated. If all training rows are equal, the scale is 1.")
        .reference("BE-SVM, section 2.3, eq. (4)")
        .complexity("fit: two passes over the training rows; apply: one")
        .inexpensive()
        .keeps_columns()
        .distributed()
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  double length_ = 1;
};

/// Does not change rows: a replacement for a normalizer to measure its effect.
class NoNormalizer final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet&, Context&) override {}

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      check_finite(in.row(i), in.cols, i, RowError::Of::block);
      std::copy_n(in.row(i), in.cols, out.row(i));
    }
  }

  Formula::Value write(Formula&, Formula::Value in) const override { return in; }

  static Declaration<NoNormalizer> declare() {
    return Declaration<NoNormalizer>("normalizer/none", "Leaves the rows unchanged")
        .documentation(
            "Concatenates several inputs. In a study of normalizers it is the variant without one.")
        .complexity("one copy")
        .inexpensive()
        .keeps_columns()
        .distributed()
        .example(R"(
        points: {is: source/banana}
        x:      {is: normalizer/none, from: points}  # swap it with --set nodes.x.is=normalizer/zscore
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }
};

}  // namespace

ComponentEntry declare_max_abs() { return MaxAbs::declare().entry(); }
ComponentEntry declare_mean_norm() { return MeanNorm::declare().entry(); }
ComponentEntry declare_min_max() { return MinMax::declare().entry(); }
ComponentEntry declare_none() { return NoNormalizer::declare().entry(); }
ComponentEntry declare_robust() { return Robust::declare().entry(); }
ComponentEntry declare_zscore() { return ZScore::declare().entry(); }

}  // namespace semblance::normalizers
