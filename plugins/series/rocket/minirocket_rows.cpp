// SPDX-License-Identifier: MIT
#include "rocket/minirocket_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "need_sequence.hpp"
#include "rocket/minirocket_pooling.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {
namespace {

std::string steps_text(std::size_t steps) {
  return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

void check_series(std::span<const float> row, std::size_t channels, std::size_t least,
                  std::size_t number, RowError::Of of) {
  const auto fail = [&](const std::string& what) {
    throw RowError(of, number, "", " (counted from 0) " + what);
  };
  if (row.size() % channels != 0)
    fail("has " + std::to_string(row.size()) + " values, which are no steps of " +
         std::to_string(channels) + " channels; use series like those trained on");
  const std::size_t steps = row.size() / channels;
  if (steps == 0) fail("is empty; remove it");
  if (steps < least)
    fail("has " + steps_text(steps) + ", but needs at least " + std::to_string(least) +
         "; remove it, or lengthen series with feature/resample");
  if (steps > rocket_most_steps)
    fail("has " + steps_text(steps) + ", but at most " + std::to_string(rocket_most_steps) +
         " can be pooled; shorten series with feature/resample");
  const auto bad =
      std::find_if_not(row.begin(), row.end(), [](float x) { return std::isfinite(x); });
  if (bad != row.end())
    fail("has a value that is " + std::string(std::isnan(*bad) ? "not a number" : "infinite") +
         " in step " + std::to_string(static_cast<std::size_t>(bad - row.begin()) / channels) +
         " (from 0); interpolate or remove such values");
}

std::vector<std::int64_t> widened(const std::vector<std::uint32_t>& values) {
  return {values.begin(), values.end()};
}

[[noreturn]] void damaged(const std::string& what) {
  throw Error("the saved kernels are damaged: " + what + "; train the model again");
}

std::vector<std::uint32_t> narrowed(const std::vector<std::int64_t>& values, std::int64_t least,
                                    std::int64_t most, const std::string& what) {
  std::vector<std::uint32_t> narrow;
  narrow.reserve(values.size());
  for (const std::int64_t value : values) {
    if (value < least || value > most)
      damaged(what + " has " + std::to_string(value) + ", which is not in " +
              std::to_string(least) + ".." + std::to_string(most));
    narrow.push_back(static_cast<std::uint32_t>(value));
  }
  return narrow;
}

}  // namespace

void check_rocket_layout(const Layout& layout, const std::string& who, std::size_t needed) {
  need_sequence(layout, who);
  if (layout.width < needed)
    throw Error(who + " needs series of at least " + std::to_string(needed) +
                " steps, but each is a " + describe(layout) +
                "; take longer series, or lengthen them with feature/resample");
}

std::vector<SeriesView> rocket_series(MatrixView rows, std::size_t channels, std::size_t least,
                                      std::size_t first, RowError::Of of) {
  std::vector<SeriesView> series;
  series.reserve(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    check_series(rows.row_span(i), channels, least, first + i, of);
    series.push_back({rows.row_span(i), channels});
  }
  return series;
}

std::vector<SeriesView> bounded_rocket_series(MatrixView rows, std::size_t channels,
                                              std::size_t least, std::size_t first,
                                              RowError::Of of) {
  auto series = rocket_series(rows, channels, least, first, of);
  for (std::size_t i = 0; i < series.size(); ++i)
    for (const float x : series[i].values)
      if (std::abs(x) > rocket_largest_value)
        throw RowError(of, first + i, "",
                       " (counted from 0) has values beyond 1e30, whose sums float32 cannot hold; "
                       "divide the series by a constant");
  return series;
}

SeriesByLength::SeriesByLength(std::span<const SeriesView> given, MutableMatrixView out) {
  std::vector<std::size_t> order(given.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return given[i].steps(); });
  for (const std::size_t i : order) {
    series.push_back(given[i]);
    rows.push_back(out.row(i));
  }
}

void check_rocket_output(MatrixView in, MatrixView out, std::size_t columns) {
  if (out.rows != in.rows || out.cols != columns)
    throw Error(std::to_string(columns) + " features are made of each of " +
                std::to_string(in.rows) + " rows, but there is room for " +
                std::to_string(out.cols) + " of " + std::to_string(out.rows) +
                "; fit it before it is applied");
}

RocketTraining rocket_training(const TrainingSet& training, std::size_t channels, std::size_t least,
                               std::size_t needed, Context& context) {
  const Rows& rows = training.rows;
  if (rows.rows() == 0) throw Error("there are no training rows to learn from");
  std::vector<std::size_t> longest(block_count(rows.rows()), 0);
  for_each_block(rows, context, [&](std::size_t block, std::size_t first, MatrixView view) {
    context.check_stop();
    for (const SeriesView& series :
         rocket_series(view, channels, least, first, RowError::Of::training))
      longest[block] = std::max(longest[block], series.steps());
  });
  RocketTraining from;
  from.count = rows.rows();
  from.longest = *std::max_element(longest.begin(), longest.end());
  from.channels = channels;
  from.series = [&rows](std::size_t row) {
    const MatrixView view = rows.view(row, 1);
    const auto values = view.row_span(0);
    return std::vector<float>(values.begin(), values.end());
  };
  if (from.longest < needed)
    throw Error("the longest training series has " + steps_text(from.longest) +
                ", but kernels need at least " + std::to_string(needed) +
                "; lengthen series with feature/resample");
  return from;
}

RocketTraining rocket_differences(RocketTraining training) {
  training.longest -= 1;
  training.series = [series = std::move(training.series),
                     channels = training.channels](std::size_t row) {
    std::vector<float> values = series(row);
    const std::size_t count = values.size() - channels;
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i + channels] - values[i];
    values.resize(count);
    return values;
  };
  return training;
}

void save_bank(const RocketBank& bank, const std::string& prefix, StateWriter& state) {
  state.integers(prefix + "dilations", widened(bank.dilations));
  state.integers(prefix + "biases_each", widened(bank.biases_each));
  state.floats(prefix + "biases", {bank.biases.data(), 1, bank.biases.size(), bank.biases.size()});
  state.integers(prefix + "subset_starts", widened(bank.subset_starts));
  state.integers(prefix + "subsets", widened(bank.subsets));
}

RocketBank load_bank(const StateReader& state, const std::string& prefix, std::size_t channels,
                     std::size_t biases_per_kernel) {
  RocketBank bank;
  bank.channels = channels;
  bank.dilations = narrowed(state.integers(prefix + "dilations"), 1,
                            rocket_most_steps / (rocket_kernel_length - 1), "'dilations'");
  bank.biases_each = narrowed(state.integers(prefix + "biases_each"), 1,
                              static_cast<std::int64_t>(biases_per_kernel), "'biases_each'");
  bank.biases = state.floats(prefix + "biases").values;
  bank.subsets = narrowed(state.integers(prefix + "subsets"), 0,
                          static_cast<std::int64_t>(channels) - 1, "'subsets'");
  bank.subset_starts = narrowed(state.integers(prefix + "subset_starts"), 0,
                                static_cast<std::int64_t>(bank.subsets.size()), "'subset_starts'");
  std::size_t each = 0;
  for (const std::uint32_t biases : bank.biases_each) each += biases;
  const auto ascends = [](const auto& values) {
    return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  };
  if (bank.dilations.empty() || bank.dilations.size() != bank.biases_each.size() ||
      each != biases_per_kernel || bank.biases.size() != each * rocket_kernel_count ||
      !ascends(bank.dilations))
    damaged("there are " + std::to_string(bank.biases.size()) + " biases for " +
            std::to_string(bank.dilations.size()) + " dilations");
  if (bank.subset_starts.size() != bank.combinations() + 1 || bank.subset_starts.front() != 0 ||
      bank.subset_starts.back() != bank.subsets.size() || !ascends(bank.subset_starts))
    damaged("the channels of " + std::to_string(bank.combinations()) + " kernels are not known");
  return bank;
}

}  // namespace semblance::series
