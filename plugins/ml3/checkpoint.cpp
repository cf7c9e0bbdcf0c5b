// SPDX-License-Identifier: MIT
#include "checkpoint.hpp"

namespace semblance::ml3 {

void append(const DescentOutcome& outcome, std::vector<double>& values) {
  values.insert(values.end(), {double(outcome.steps), double(outcome.errors), outcome.losses,
                               double(outcome.updates), double(outcome.projections)});
}

DescentOutcome outcome_of(std::span<const double> values) {
  return {static_cast<std::size_t>(values[0]), static_cast<std::size_t>(values[1]), values[2],
          static_cast<std::size_t>(values[3]), static_cast<std::size_t>(values[4])};
}

void write(const DescentState& state, StateWriter& to) {
  std::vector<double> numbers{state.scale, state.scales, state.squared_norm};
  append(state.outcome, numbers);
  to.doubles("descent", numbers);
  to.floats("descent_models", std::as_const(state.v).view());
  if (state.sums.rows() > 0) to.floats("descent_sums", std::as_const(state.sums).view());
}

DescentState read_descent(const StateReader& from, std::size_t rows, std::size_t cols,
                          bool average) {
  const std::vector<double> numbers = from.doubles("descent");
  if (numbers.size() != 3 + outcome_values) throw Error("the kept descent has another form");
  return {read_models(from, "descent_models", rows, cols),
          average ? read_models(from, "descent_sums", rows, cols) : ModelMatrix(),
          numbers[0],
          numbers[1],
          numbers[2],
          outcome_of(std::span(numbers).subspan(3))};
}

ModelMatrix read_models(const StateReader& from, std::string_view name, std::size_t rows,
                        std::size_t cols) {
  const FloatMatrix values = from.floats(name);
  if (values.rows != rows || values.cols != cols || !values.offsets.empty())
    throw Error("the kept models have another size");
  ModelMatrix models(rows, cols);
  for (std::size_t r = 0; r < rows; ++r)
    std::ranges::copy(values.view().row_span(r), models.row(r));
  return models;
}

}  // namespace semblance::ml3
