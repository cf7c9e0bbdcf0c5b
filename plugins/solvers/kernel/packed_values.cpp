// SPDX-License-Identifier: MIT
#include "kernel/packed_values.hpp"

#include "semblance/error.hpp"

namespace semblance::solvers {
namespace {

/// Calls body with every member of a solution but the coefficients.
template <class Solution, class Body>
void each_figure(Solution& s, const Body& body) {
  body(s.bias);
  body(s.dual);
  body(s.primal);
  body(s.squared_norm);
  body(s.violation);
  body(s.rounding);
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
  put_all(std::span(solution.coefficients));
}

numerics::DualSolution Unpacker::take_solution() {
  numerics::DualSolution solution;
  each_figure(solution, [this](auto& figure) { copy(&figure, sizeof figure); });
  solution.coefficients = take_all<double>();
  return solution;
}

void Unpacker::copy(void* to, std::size_t size) {
  if (size > bytes_.size()) throw Error("internal error: a message of another rank is too short");
  if (size > 0) std::memcpy(to, bytes_.data(), size);
  bytes_ = bytes_.subspan(size);
}

}  // namespace semblance::solvers
