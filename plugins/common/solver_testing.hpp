// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layout_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/component_testing.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/solver.hpp"

/// Helpers for tests of the solvers.
namespace semblance::common::testing {

using namespace semblance::testing;

struct Data {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::vector<double> weights = {};       ///< TrainingSet::weights
  std::vector<std::int32_t> groups = {};  ///< TrainingSet::groups
};

/// The training set of a solver.
inline TrainingSet training_set(const Rows& rows, const Layout& layout, const Data& data) {
  TrainingSet set{rows, layout, data.labels, data.classes};
  set.weights = data.weights;
  set.groups = data.groups;
  return set;
}

/// The weights of the classes of clouds(), in their order.
inline NamedValues class_weights(const std::vector<double>& weights) {
  NamedValues named;
  for (std::size_t c = 0; c < weights.size(); ++c) named["class " + std::to_string(c)] = weights[c];
  return named;
}

/// Overlapping normally distributed clouds, one per class.
inline Data clouds(std::size_t rows, std::size_t cols, std::size_t classes,
                   std::uint64_t seed = 1) {
  Random random(seed);
  Data data{FloatMatrix(rows, cols), std::vector<std::int32_t>(rows), {}};
  std::vector<double> centres(classes * cols);
  for (double& x : centres) x = 0.5 * random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = i % classes;
    data.labels[i] = static_cast<std::int32_t>(label);
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] =
          static_cast<float>(centres[label * cols + j] + random.normal());
  }
  for (std::size_t c = 0; c < classes; ++c) data.classes.push_back("class " + std::to_string(c));
  return data;
}

/// Each sample repeated by its integer weight; omitted if it is 0.
inline Data repeated_by_weight(const Data& data) {
  std::vector<std::size_t> rows, sizes;
  Data all{{}, {}, data.classes};
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    for (double w = data.weights[i]; w > 0; --w) {
      rows.push_back(i);
      all.labels.push_back(data.labels[i]);
      sizes.push_back(data.values.view().size(i));
    }
  all.values = room_for(layout_of(data.values), sizes);
  for (std::size_t i = 0; i < rows.size(); ++i)
    copy_rows(data.values.view().rows_range(rows[i], 1), all.values.view().rows_range(i, 1));
  return all;
}

/// A solver made by its id, and what it reported.
struct TrainedSolver {
  std::unique_ptr<Solver> solver;
  MemoryReport report;
};

inline TrainedSolver train(std::string_view id, const Data& data, Context& context,
                           const Parameters& parameters = {}, const Parts& parts = {}) {
  TrainedSolver trained{make_component<Solver>(id, parameters, parts), {}};
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  trained.solver->bind(layout);
  trained.solver->train(training_set(rows, layout, data), trained.report, context);
  return trained;
}

inline FloatMatrix scores(const Solver& solver, const Data& data) {
  TestContext context;
  FloatMatrix out(data.values.rows, data.classes.size());
  solver.apply(data.values.view(), out.view(), context);
  return out;
}

/// Whether all budgets, given in KiB, give the same bits as a large one.
inline bool same_bits_with_budgets(std::string_view id, const Data& data,
                                   const Parameters& parameters,
                                   std::initializer_list<std::size_t> budgets) {
  TestContext large;
  const std::string expected = saved_bits(*train(id, data, large, parameters).solver);
  return std::all_of(budgets.begin(), budgets.end(), [&](std::size_t budget) {
    TestContext small;
    small.budget = budget << 10;
    return saved_bits(*train(id, data, small, parameters).solver) == expected;
  });
}

/// The message of the Error that training throws, or an empty one.
inline std::string training_error(std::string_view id, const Data& data,
                                  const Parameters& parameters = {},
                                  std::size_t budget = std::size_t{1} << 30) {
  TestContext context;
  context.budget = budget;
  try {
    train(id, data, context, parameters);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace semblance::common::testing
