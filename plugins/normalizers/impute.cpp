// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "affine.hpp"
#include "block_statistics.hpp"
#include "semblance/collectives.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"
#include "semblance/samples.hpp"

namespace semblance::normalizers {

namespace {

// Statistics of the present values (not NaN) in each column of the training samples. Their bits
// depend on the number of neither threads nor ranks. Infinite values are refused with their
// position; an empty set of rows is refused as well.

struct PresentValues {
  std::vector<double> sums;
  std::vector<double> squares;  ///< the sums of their squares
  std::vector<std::size_t> counts;
};

void check_not_infinite(float value, std::size_t row, std::size_t column) {
  if (!std::isinf(value)) return;
  throw RowError(RowError::Of::training, row, "the value in ",
                 ", column " + std::to_string(column) +
                     " (both from 0) is infinite; remove or replace such values before imputing");
}

float median(std::vector<float>& values) {
  if (values.empty()) return std::numeric_limits<float>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const float below = *std::max_element(values.begin(), middle);
  return static_cast<float>((double(below) + double(*middle)) / 2);
}

/// Calls `add` for every present value, with its row, its column and the sums to add it to.
template <class Add>
void sum_present(const Rows& rows, std::span<double> total, Context& context, const Add& add) {
  check_any(rows);
  const RowParts parts(rows.rows());
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    visit_blocks(rows, parts, part, context, [&](MatrixView view, std::size_t first) {
      for (std::size_t i = 0; i < view.rows; ++i)
        for (std::size_t c = 0; c < view.cols; ++c)
          if (const float value = view.row(i)[c]; !std::isnan(value))
            add(value, first + i, c, sums);
    });
  });
}

/// Over the rows of all ranks.
PresentValues present_values(const Rows& rows, Context& context) {
  const std::size_t cols = rows.cols();
  // Sums, sums of squares, and numbers of values, which are exact in double.
  std::vector<double> total(3 * cols);
  sum_present(rows, total, context,
              [cols](float value, std::size_t row, std::size_t c, std::span<double> sums) {
                check_not_infinite(value, row, c);
                sums[c] += double(value);
                sums[cols + c] += double(value) * double(value);
                sums[2 * cols + c] += 1;
              });
  PresentValues present;
  const auto width = static_cast<std::ptrdiff_t>(cols);
  present.sums.assign(total.begin(), total.begin() + width);
  present.squares.assign(total.begin() + width, total.begin() + 2 * width);
  present.counts.reserve(cols);
  for (std::size_t c = 0; c < cols; ++c)
    present.counts.push_back(static_cast<std::size_t>(total[2 * cols + c]));
  return present;
}

/// The sums of squared differences from a value of each column, over the rows of all ranks.
std::vector<double> present_squares_about(const Rows& rows, std::span<const float> values,
                                          Context& context) {
  std::vector<double> total(rows.cols());
  sum_present(rows, total, context,
              [&](float value, std::size_t, std::size_t c, std::span<double> sums) {
                const double difference = double(value) - double(values[c]);
                sums[c] += difference * difference;
              });
  return total;
}

/// The median of each column: the middle value, or the mean of the two middle ones; NaN if there
/// are none. Only over the rows of this process.
std::vector<float> present_medians(const Rows& rows, Context& context) {
  std::vector<float> medians(rows.cols());
  visit_columns(rows, context, [&](std::size_t c, std::vector<float>& values) {
    std::erase_if(values, [](float value) { return std::isnan(value); });
    medians[c] = values.empty() ? 0 : median(values);
  });
  return medians;
}

/// The mean of a column, and its rounding error.
struct RoundedMean {
  double mean = 0, error = 0;
  RoundedMean(const PresentValues& present, std::size_t c, float fill)
      : mean(present.sums[c] / static_cast<double>(present.counts[c])),
        error(std::abs(double{fill} - mean)) {}
};

/// Rows and fill values are float32. Warns if the rounding of a mean is not small relative to the
/// column's standard deviation.
void warn_of_rounded_means(const Rows& rows, const PresentValues& present,
                           std::span<const float> fill, Context& context) {
  constexpr double little = 1.0 / 256, unknown = 1e-6;
  // Squares minus the square of the mean leave an error of a share of the mean in the deviation.
  bool all_sure = true;
  for (std::size_t c = 0; c < fill.size(); ++c) {
    if (present.counts[c] == 0) continue;
    const RoundedMean rounded(present, c, fill[c]);
    const double square = present.squares[c] / static_cast<double>(present.counts[c]);
    const double deviation = std::sqrt(std::max(0.0, square - rounded.mean * rounded.mean));
    all_sure = all_sure && rounded.error <= little * (deviation - unknown * std::abs(rounded.mean));
  }
  if (all_sure) return;
  const std::vector<double> squares = present_squares_about(rows, fill, context);
  for (std::size_t c = 0; c < fill.size(); ++c) {
    if (present.counts[c] == 0) continue;
    const RoundedMean rounded(present, c, fill[c]);
    const double deviation = std::sqrt(squares[c] / static_cast<double>(present.counts[c]));
    if (deviation == 0 || rounded.error <= little * deviation) continue;
    const auto text = [](double value) {
      return to_text(Value(double{static_cast<float>(value)}));
    };
    context.log(LogLevel::warning,
                "the mean that fills in missing values of column " + std::to_string(c) +
                    " (counted from 0), " + to_text(Value(rounded.mean)) + ", is rounded by " +
                    text(rounded.error) +
                    ", since rows are float32, while the column's standard "
                    "deviation is " +
                    text(deviation) + "; subtract a constant from the column first");
    return;
  }
}

/// Fills in missing values (NaN), column by column.
class Impute final : public Normalizer, public Exportable {
 public:
  void check_parameters() const override {
    if (value_ != 0 && strategy_ != "constant")
      throw Error("'value' is what 'strategy: constant' fills in, but the strategy is " +
                  strategy_ + "; remove one of them");
    if (!std::isfinite(static_cast<float>(value_)))
      throw Error("'value' is too large for float32; give a smaller one");
  }

  bool distributes() const override { return strategy_ != "median"; }

  Layout bind(const Layout& input) override {
    cols_ = input.size();
    return indicator_ ? Layout::vector(2 * cols_) : input;
  }

  void fit(const TrainingSet& training, Context& context) override {
    check_width(cols_, training.rows.cols());
    const PresentValues present = present_values(training.rows, context);
    fill_.assign(cols_, static_cast<float>(value_));
    if (strategy_ != "constant") {
      const auto none = std::ranges::find(present.counts, std::size_t{0});
      if (none != present.counts.end() && empty_ == "refuse")
        throw Error("column " + std::to_string(none - present.counts.begin()) +
                    " (from 0) has no value in any training row, so there is no " + strategy_ +
                    " to fill in; ignore the column, or set 'strategy: constant' or 'empty: zero'");
      if (strategy_ == "median") {
        fill_ = present_medians(training.rows, context);
      } else {
        for (std::size_t c = 0; c < cols_; ++c)
          if (present.counts[c] > 0)
            fill_[c] = static_cast<float>(present.sums[c] / static_cast<double>(present.counts[c]));
        warn_of_rounded_means(training.rows, present, fill_, context);
      }
      fill_empty(present.counts, context);
    }
    indicate_.resize(cols_);
    for (std::size_t c = 0; c < cols_; ++c)
      indicate_[c] = present.counts[c] < training.rows.rows() ? 1.0f : 0.0f;
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    check_width(fill_.size(), in.cols);
    for (std::size_t i = 0; i < in.rows; ++i) {
      const float* from = in.row(i);
      float* to = out.row(i);
      for (std::size_t c = 0; c < cols_; ++c) {
        const bool missing = std::isnan(from[c]);
        if (std::isinf(from[c]))
          throw RowError(
              RowError::Of::block, i, "the value in ",
              ", column " + std::to_string(c) +
                  " (both from 0) is infinite; remove or replace such values before imputing");
        to[c] = missing ? fill_[c] : from[c];
        if (indicator_) to[cols_ + c] = missing ? indicate_[c] : 0.0f;
      }
    }
  }

  void save(StateWriter& state) const override {
    state.floats("fill", {fill_.data(), 1, fill_.size(), fill_.size()});
    state.floats("indicate", {indicate_.data(), 1, indicate_.size(), indicate_.size()});
  }

  void load(const StateReader& state, Context&) override {
    fill_ = state.floats("fill").values;
    indicate_ = state.floats("indicate").values;
    check_width(cols_, fill_.size());
    check_width(cols_, indicate_.size());
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto fill = formula.constant(std::span<const float>(fill_));
    const auto filled = formula.where_missing(in, fill, in);
    if (!indicator_) return filled;
    const auto indicate = formula.constant(std::span<const float>(indicate_));
    const auto missing = formula.where_missing(in, indicate, formula.number(0, in));
    return formula.concatenate(std::vector<Formula::Value>{filled, missing});
  }

  static Declaration<Impute> declare() {
    return Declaration<Impute>("normalizer/impute",
                               "Fills in missing values, which a source keeps as NaN")
        .parameter("strategy", &Impute::strategy_,
                   "what to fill in: the mean or the median of the column's values in the training "
                   "rows, or a constant",
                   choices({"mean", "median", "constant"}))
        .parameter("value", &Impute::value_, "the constant")
        .parameter("empty", &Impute::empty_,
                   "what to do with a column without any value in the training rows: refuse it, or "
                   "fill in zero, with a warning",
                   choices({"refuse", "zero"}))
        .parameter("indicator", &Impute::indicator_,
                   "append a column for each column: 1 where its value is missing, else 0; always "
                   "0 for columns that are complete in training")
        .documentation(
            "It takes missing values, as almost nothing else does: put it right after a source "
            "with `missing: keep`. In a cross-validation each fold has the means of its own "
            "training rows. A column without any value in training is an error, except with "
            "`strategy: constant` or `empty: zero`. Without missing values, rows pass unchanged.")
        .complexity(
            "fit: one pass; median: another one, and 4 bytes per value of as many columns as fit "
            "into the memory; apply: one pass")
        .inexpensive()
        .keeps_columns()
        .distributed()
        .takes_missing()
        .example(R"(
        points: {is: source/banana}
        filled: {is: normalizer/impute, strategy: median, from: points}
        x:      {is: normalizer/zscore, from: filled}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  /// Fills columns without any value in training.
  void fill_empty(std::span<const std::size_t> counts, Context& context) {
    std::size_t empty = 0, first = 0;
    for (std::size_t c = counts.size(); c-- > 0;) {
      if (counts[c] > 0) continue;
      fill_[c] = 0;
      first = c;
      ++empty;
    }
    if (empty > 0)
      context.log(
          LogLevel::warning,
          (empty == 1
               ? "1 column has no value in any training row and is"
               : std::to_string(empty) + " columns have no value in any training row and are") +
              " filled with 0; the first is column " + std::to_string(first) + " (counted from 0)");
  }

  std::string strategy_ = "mean";
  double value_ = 0;
  std::string empty_ = "refuse";
  bool indicator_ = false;

  std::size_t cols_ = 0;
  std::vector<float> fill_;      ///< one per column
  std::vector<float> indicate_;  ///< 1 where a column has missing values in training, else 0
};

}  // namespace

ComponentEntry declare_impute() { return Impute::declare().entry(); }

}  // namespace semblance::normalizers
