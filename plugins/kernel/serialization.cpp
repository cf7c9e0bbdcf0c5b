// SPDX-License-Identifier: MIT
#include "serialization.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

/// Calls body with every member of a solution but the coefficients.
template <class Solution, class Body>
void each_figure(Solution& s, const Body& body) {
  body(s.bias);
  body(s.dual);
  body(s.primal);
  body(s.sensitivity);
  body(s.squared_norm);
  body(s.violation);
  body(s.rounding);
  body(s.largest_value);
  body(s.steps);
  body(s.rounds);
  body(s.shrinkings);
  body(s.vectors);
  body(s.bounded);
  body(s.certificate);
}

}  // namespace

void Packer::put(const numerics::DualSolution& solution) {
  each_figure(solution, [this](const auto& figure) { put(figure); });
  // Most are zero.
  std::vector<std::uint32_t> places;
  std::vector<double> values;
  for (std::size_t i = 0; i < solution.coefficients.size(); ++i) {
    if (solution.coefficients[i] == 0) continue;
    places.push_back(static_cast<std::uint32_t>(i));
    values.push_back(solution.coefficients[i]);
  }
  put_all(std::span(std::as_const(places)));
  put_all(std::span(std::as_const(values)));
  put_all(std::span(solution.history));
}

numerics::DualSolution Unpacker::take_solution(std::size_t variables) {
  numerics::DualSolution solution;
  each_figure(solution, [this](auto& figure) { copy(&figure, sizeof figure); });
  const auto places = take_all<std::uint32_t>();
  const auto values = take_all<double>();
  if (places.size() != values.size()) too_short();
  if (!places.empty()) solution.coefficients.resize(variables);
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] >= variables) too_short();
    solution.coefficients[places[k]] = values[k];
  }
  solution.history = take_all<numerics::ConvergencePoint>();
  return solution;
}

void Unpacker::too_short() {
  throw Error("internal error: fewer values have come than were packed");
}

void Unpacker::copy(void* to, std::size_t size) {
  if (size > bytes_.size()) too_short();
  if (size > 0) std::memcpy(to, bytes_.data(), size);
  bytes_ = bytes_.subspan(size);
}

}  // namespace semblance::kernel
