// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/predicted_class.hpp"
#include "solver_testing.hpp"

/// Helpers for tests of 'C: automatic'.
namespace semblance::common::testing {

/// The samples of a fold, or all others.
inline Data part(const Data& data, const std::vector<std::size_t>& fold_of, std::size_t fold,
                 bool held) {
  Data some{{}, {}, data.classes};
  std::vector<std::size_t> rows, sizes;
  for (std::size_t i = 0; i < fold_of.size(); ++i)
    if ((fold_of[i] == fold) == held) {
      rows.push_back(i);
      sizes.push_back(data.values.view().size(i));
    }
  some.values = room_for(layout_of(data.values), sizes);
  for (std::size_t to = 0; to < rows.size(); ++to) {
    copy_rows(data.values.view().rows_range(rows[to], 1), some.values.view().rows_range(to, 1));
    some.labels.push_back(data.labels[rows[to]]);
    if (!data.weights.empty()) some.weights.push_back(data.weights[rows[to]]);
  }
  return some;
}

/// The share of misclassified samples, by weight, when each fold is held out of the training.
/// train(samples) gives a trained solver.
template <class Train>
double plain_error(const Data& data, const std::vector<std::size_t>& fold_of, std::size_t folds,
                   const Train& train) {
  double wrong = 0, total = 0;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const Data held = part(data, fold_of, fold, true);
    const auto solver = train(part(data, fold_of, fold, false));
    const FloatMatrix found = scores(*solver, held);
    for (std::size_t i = 0; i < held.labels.size(); ++i) {
      const double weight = held.weights.empty() ? 1 : held.weights[i];
      total += weight;
      if (predicted_class(found.view().row_span(i)) != held.labels[i]) wrong += weight;
    }
  }
  return wrong / total;
}

/// The weights of the samples with those of `balanced` classes.
inline std::vector<double> balanced_weights(const Data& data) {
  std::vector<double> sums(data.classes.size()), weights;
  double all = 0, present = 0;
  const auto own = [&](std::size_t i) { return data.weights.empty() ? 1 : data.weights[i]; };
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    sums[static_cast<std::size_t>(data.labels[i])] += own(i);
    all += own(i);
  }
  for (const double sum : sums) present += sum > 0 ? 1 : 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    weights.push_back(own(i) * all / (present * sums[static_cast<std::size_t>(data.labels[i])]));
  return weights;
}

/// plain_error() of trainings with `balanced`, which get the samples with their own weights: the
/// errors count by the balanced weights of all samples.
template <class Train>
double plain_balanced_error(const Data& data, const std::vector<std::size_t>& fold_of,
                            std::size_t folds, const Train& train) {
  Data given = data;
  given.weights = balanced_weights(data);
  std::size_t fold = 0;
  return plain_error(given, fold_of, folds,
                     [&](Data) { return train(part(data, fold_of, fold++, false)); });
}

/// Samples that are there four times each, with a label of their own by chance, in groups of equal
/// samples: held out alone, a sample is known by the others.
inline Data repeated_samples() {
  constexpr std::size_t rows = 160, columns = 60;
  Data data{FloatMatrix(rows, columns), {}, {"class 0", "class 1"}};
  Random random(3);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t first = i / 4 * 4;
    data.labels.push_back(i == first ? static_cast<std::int32_t>(random.below(2))
                                     : data.labels[first]);
    data.groups.push_back(static_cast<std::int32_t>(i / 4));
    for (std::size_t j = 0; j < columns; ++j)
      data.values.values[i * columns + j] = i == first ? static_cast<float>(random.normal())
                                                       : data.values.values[first * columns + j];
  }
  return data;
}

}  // namespace semblance::common::testing
