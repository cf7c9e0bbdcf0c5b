// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "layout_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/component_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/solver.hpp"

/// What the tests of the solvers share.
namespace semblance::solvers::testing {

using namespace semblance::testing;

struct Data {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
};

/// Normally distributed clouds, one a class, that overlap.
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

template <class T>
struct Trained {
  T solver;
  MemoryReport report;
};

template <class T>
Trained<T> train(const Data& data, Context& context, const Parameters& parameters = {}) {
  Trained<T> trained{make<T>(parameters), {}};
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  trained.solver.bind(layout);
  trained.solver.train({rows, layout, data.labels, data.classes}, trained.report, context);
  return trained;
}

inline FloatMatrix scores(const Solver& solver, const Data& data) {
  TestContext context;
  FloatMatrix out(data.values.rows, data.classes.size());
  solver.apply(data.values.view(), out.view(), context);
  return out;
}

/// Whether every one of the budgets, given in KiB, gives the bits that a large one does.
template <class T>
bool same_bits_with_budgets(const Data& data, const Parameters& parameters,
                            std::initializer_list<std::size_t> budgets) {
  TestContext large;
  const std::string expected = saved_bits(train<T>(data, large, parameters).solver);
  return std::all_of(budgets.begin(), budgets.end(), [&](std::size_t budget) {
    TestContext small;
    small.budget = budget << 10;
    return saved_bits(train<T>(data, small, parameters).solver) == expected;
  });
}

/// The message of the Error that training throws, or nothing.
template <class T>
std::string training_error(const Data& data, const Parameters& parameters = {},
                           std::size_t budget = std::size_t{1} << 30) {
  TestContext context;
  context.budget = budget;
  try {
    train<T>(data, context, parameters);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace semblance::solvers::testing
