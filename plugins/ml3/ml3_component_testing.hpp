// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

#include "ml3_testing.hpp"
#include "semblance/predicted_class.hpp"
#include "solver_testing.hpp"

/// Helpers for tests of the components.
namespace semblance::ml3::testing {

using namespace semblance::common::testing;

inline double error_rate(const Solver& solver, const Data& data) {
  const FloatMatrix f = scores(solver, data);
  std::size_t errors = 0;
  for (std::size_t i = 0; i < f.rows; ++i)
    errors += predicted_class(f.view().row_span(i)) != data.labels[i];
  return double(errors) / double(f.rows);
}

/// The data minus the centre in a model's state, as its machines see them.
inline Data about_centre(Data data, const MemoryState& state) {
  data.values = common::about(state.doubles("centre"), data.values.view());
  return data;
}

/// Checks that a saved and loaded model gives the same bits, and that each row is scored
/// independently.
inline void check_saved_and_alone(std::string_view id, const Solver& trained, const Data& data) {
  TestContext context;
  const FloatMatrix wanted = scores(trained, data);
  const Layout rows = Layout::vector(data.values.cols);
  MemoryState state;
  trained.save(state);
  const auto loaded = make_component<Solver>(id);
  loaded->bind(rows);
  loaded->load(state, context);
  CHECK(loaded->bind(rows) == Layout::vector(wanted.cols));
  CHECK(scores(*loaded, data).values == wanted.values);
  for (std::size_t i = 0; i < data.values.rows; i += 13) {
    FloatMatrix alone(1, wanted.cols);
    trained.apply(data.values.view().rows_range(i, 1), alone.view(), context);
    REQUIRE(std::ranges::equal(alone.values, wanted.view().row_span(i)));
  }
}

inline Data xor_data(std::size_t rows, std::uint64_t seed) {
  Points points = xor_points(rows, seed);
  return {std::move(points.values), std::move(points.labels), {"even", "odd"}};
}

}  // namespace semblance::ml3::testing
