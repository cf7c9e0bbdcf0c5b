// SPDX-License-Identifier: MIT
#pragma once

#include "ml3_component_testing.hpp"
#include "semblance/ranks_testing.hpp"

/// Helpers for tests with several ranks.
namespace semblance::ml3::testing {

/// Clouds, but most values are those of their columns: descents leave these out.
inline Data clouds_on_background(std::size_t rows, std::size_t cols, std::size_t classes) {
  Data data = clouds(rows, cols, classes);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < cols; ++k)
      if ((i / classes + k) % 5 != 0)
        data.values.values[i * cols + k] = 0.1F * static_cast<float>(k % 7) - 0.3F;
  return data;
}

inline TrainedSolver train_on(std::string_view id, const Rows& rows, const Data& data,
                              Context& context, const Parameters& parameters) {
  TrainedSolver trained{make_component<Solver>(id, parameters), {}};
  const Layout layout = Layout::vector(data.values.cols);
  trained.solver->bind(layout);
  trained.solver->train({rows, layout, data.labels, data.classes}, trained.report, context);
  return trained;
}

/// Everything that is learned and said of it, but the time.
inline std::string outcome(const TrainedSolver& trained) {
  return saved_bits(*trained.solver) + bits_of(trained.report);
}

inline void check_same(std::string_view id, const Data& data, const Parameters& parameters = {},
                       std::initializer_list<std::size_t> numbers = {2, 3, 4, 8}) {
  check_same_on_ranks(data.values, numbers, [&](const Rows& rows, Context& context) {
    return outcome(train_on(id, rows, data, context, parameters));
  });
}

}  // namespace semblance::ml3::testing
