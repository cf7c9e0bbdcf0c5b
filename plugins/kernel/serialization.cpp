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

template <class State, class Body>
void each_count(State& c, const Body& body) {
  body(c.largest_value);
  body(c.steps);
  body(c.rounds);
  body(c.shrinkings);
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

std::vector<std::int64_t> Packer::words() const {
  std::vector<std::int64_t> words((bytes_.size() + sizeof(std::int64_t) - 1) /
                                  sizeof(std::int64_t));
  std::ranges::copy(bytes_, std::as_writable_bytes(std::span(words)).begin());
  return words;
}

void Packer::put(const numerics::DualState& state) {
  each_count(state, [this](const auto& count) { put(count); });
  put_all(std::span(state.values));
  put_all(std::span(state.gradients));
  put_all(std::span(state.working_set));
  put_all(std::span(state.since));
  put_all(std::span(state.history));
  put(state.shrunk.size());
  for (const auto& left : state.shrunk) {
    put_all(std::span(left.variables));
    put_all(std::span(left.values));
    put_all(std::span(left.gradients));
  }
}

numerics::DualState Unpacker::take_state() {
  numerics::DualState state;
  each_count(state, [this](auto& count) { copy(&count, sizeof count); });
  state.values = take_all<double>();
  state.gradients = take_all<double>();
  state.working_set = take_all<std::int64_t>();
  state.since = take_all<std::int64_t>();
  state.history = take_all<numerics::ConvergencePoint>();
  for (auto count = take<std::size_t>(); count > 0; --count) {
    numerics::DualState::Shrunk left;
    left.variables = take_all<std::uint32_t>();
    left.values = take_all<double>();
    left.gradients = take_all<double>();
    state.shrunk.push_back(std::move(left));
  }
  return state;
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
