// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "need_sequence.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {
namespace {

/// A channel of a series, in place.
struct Channel {
  float* first;
  std::size_t stride, steps;
  float& operator[](std::size_t t) const { return first[t * stride]; }
};

/// The first step from `t` on with a value; the number of steps if there is none.
std::size_t next_value(const Channel& x, std::size_t t) {
  while (t < x.steps && std::isnan(x[t])) ++t;
  return t;
}

/// The line between the values beside a gap; at an end, the nearest value.
void interpolate(const Channel& x) {
  std::size_t left = next_value(x, 0);
  for (std::size_t t = 0; t < left; ++t) x[t] = x[left];
  while (left < x.steps) {
    const std::size_t right = next_value(x, left + 1);
    for (std::size_t t = left + 1; t < right; ++t) {
      const double share = static_cast<double>(t - left) / static_cast<double>(right - left);
      x[t] = right == x.steps ? x[left]
                              : static_cast<float>(x[left] + (double{x[right]} - x[left]) * share);
    }
    left = right;
  }
}

/// The value before a gap; at the beginning, the first one.
void carry_forward(const Channel& x) {
  float last = x[next_value(x, 0)];
  for (std::size_t t = 0; t < x.steps; ++t)
    if (std::isnan(x[t]))
      x[t] = last;
    else
      last = x[t];
}

void fill_with(const Channel& x, double value) {
  for (std::size_t t = 0; t < x.steps; ++t)
    if (std::isnan(x[t])) x[t] = static_cast<float>(value);
}

double mean_of(const Channel& x) {
  double sum = 0, count = 0;
  for (std::size_t t = 0; t < x.steps; ++t)
    if (!std::isnan(x[t])) {
      sum += x[t];
      ++count;
    }
  return sum / count;
}

/// Throws RowError if a series cannot be filled in.
void check_values(std::span<const float> series, std::size_t channels, RowError::Of of,
                  std::size_t row) {
  const auto fail = [&](const std::string& what) {
    throw RowError(of, row, "", " (counted from 0) " + what);
  };
  if (series.size() % channels != 0)
    fail("has " + std::to_string(series.size()) + " values, which are no steps of " +
         std::to_string(channels) + " channels; use series like those trained on");
  const auto infinite = std::ranges::find_if(series, [](float x) { return std::isinf(x); });
  if (infinite != series.end())
    fail("is infinite in step " +
         std::to_string(static_cast<std::size_t>(infinite - series.begin()) / channels) +
         " (from 0); remove or replace such values before imputing");
  if (std::ranges::all_of(series, [](float x) { return std::isnan(x); }))
    fail("has no value in any channel; remove it");
}

/// Fills in the missing values (NaN) of series from the values of the same channel.
class ImputeSeries final : public Normalizer {
 public:
  Layout bind(const Layout& input) override {
    need_sequence(input, "impute_series");
    channels_ = input.depth;
    return indicator_ ? Layout::sequence(input.width, 2 * input.depth) : input;
  }

  std::size_t values_of(std::size_t values) const override {
    return indicator_ ? 2 * values : values;
  }

  void fit(const TrainingSet& training, Context& context) override {
    std::vector<double> sums(channels_), counts(channels_);
    for (std::size_t i = 0; i < training.rows.rows(); ++i) {
      context.check_stop();
      const MatrixView view = training.rows.view(i, 1);
      const auto series = view.row_span(0);
      check_values(series, channels_, RowError::Of::training, i);
      for (std::size_t k = 0; k < series.size(); ++k)
        if (!std::isnan(series[k])) {
          sums[k % channels_] += series[k];
          ++counts[k % channels_];
        }
      training.rows.release(i, 1);
    }
    means_.resize(channels_);
    for (std::size_t c = 0; c < channels_; ++c) {
      if (counts[c] == 0)
        throw Error("channel " + std::to_string(c + 1) +
                    " has no value in any training series, so there is nothing to fill in; remove "
                    "the channel");
      means_[c] = sums[c] / counts[c];
    }
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      fill(in.row_span(i), i, out.row_span(i));
    }
  }

  void save(StateWriter& state) const override { state.doubles("means", means_); }

  void load(const StateReader& state, Context&) override {
    means_ = state.doubles("means");
    if (means_.size() != channels_)
      throw Error("the saved means are damaged: there are " + std::to_string(means_.size()) +
                  " for " + std::to_string(channels_) + " channels; train the model again");
  }

  static Declaration<ImputeSeries> declare() {
    return Declaration<ImputeSeries>(
               "normalizer/impute_series",
               "Fills in missing values of series, which a source keeps as NaN")
        .parameter("strategy", &ImputeSeries::strategy_,
                   "interpolate: the line between the values beside a gap, at an end the nearest "
                   "value; previous: the value before a gap, at the beginning the first one; mean: "
                   "the mean of the series' own values; each within its channel",
                   choices({"interpolate", "previous", "mean"}))
        .parameter("indicator", &ImputeSeries::indicator_,
                   "append a channel for each channel: 1 where its value is missing, else 0")
        .accepts({LayoutKind::sequence})
        .gives(LayoutKind::sequence)
        .documentation(
            "It takes missing values, as almost nothing else does: put it right after a source "
            "with `missing: keep`, and take bases from it too. With several channels, one without "
            "any value in a series is filled with the mean of this channel's values in the "
            "training series. A series without any value at all is refused, and so is a channel "
            "without any in training. Series without missing values pass unchanged.\n\n"
            "Where it is no accident which values are missing, `indicator` shows the components "
            "that follow which these are.")
        .complexity("fit: one pass; apply: one or two passes")
        .inexpensive()
        .takes_missing()
        .example(R"(
        series: {is: source/warped_series}
        filled: {is: normalizer/impute_series, from: series}
        maps:   {is: normalizer/minirocket, from: filled}
        svm:    {is: solver/linear_svm, from: maps}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  /// A channel without a value has that of training.
  void fill(std::span<const float> series, std::size_t row, std::span<float> to) const {
    check_values(series, channels_, RowError::Of::block, row);
    const std::size_t steps = series.size() / channels_,
                      stride = to.size() / std::max<std::size_t>(steps, 1);
    for (std::size_t c = 0; c < channels_; ++c) {
      const Channel x{to.data() + c, stride, steps};
      bool whole = true;
      for (std::size_t t = 0; t < steps; ++t) {
        x[t] = series[t * channels_ + c];
        const bool missing = std::isnan(x[t]);
        if (indicator_) to[t * stride + channels_ + c] = missing ? 1.0f : 0.0f;
        whole = whole && !missing;
      }
      if (whole) continue;
      if (next_value(x, 0) == steps)
        fill_with(x, means_[c]);
      else if (strategy_ == "interpolate")
        interpolate(x);
      else if (strategy_ == "previous")
        carry_forward(x);
      else
        fill_with(x, mean_of(x));
    }
  }

  std::string strategy_ = "interpolate";
  bool indicator_ = false;

  std::size_t channels_ = 1;
  std::vector<double> means_;  ///< of each channel in training; NaN: it had no value
};

}  // namespace

ComponentEntry declare_impute_series() { return ImputeSeries::declare().entry(); }

}  // namespace semblance::series
