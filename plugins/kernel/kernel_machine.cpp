// SPDX-License-Identifier: MIT
#include "kernel_machine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance::kernel {
std::vector<Opponents> opponents(std::size_t classes, bool one_versus_one) {
  std::vector<Opponents> problems;
  const auto count = static_cast<std::int32_t>(classes);
  if (!one_versus_one && classes > 2) {
    for (std::int32_t c = 0; c < count; ++c) problems.push_back({c, Opponents::rest});
    return problems;
  }
  problems.reserve(classes * (classes - 1) / 2);
  for (std::int32_t a = 0; a < count; ++a)
    for (std::int32_t b = a + 1; b < count; ++b) problems.push_back({a, b});
  return problems;
}

KernelMachine::KernelMachine(std::size_t classes, bool one_versus_one, std::vector<double> biases,
                             std::span<const std::vector<Term>> terms,
                             std::span<const std::size_t> starts)
    : classes_(classes),
      one_versus_one_(one_versus_one),
      problems_(opponents(classes, one_versus_one)),
      expansion_(std::move(biases), terms, starts) {
  check_saved(expansion_.count() == problems_.size());
}

void KernelMachine::save(StateWriter& state) const {
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.integer("one_versus_one", one_versus_one_ ? 1 : 0);
  expansion_.save(state);
  origins_.save(state);
}

KernelMachine::KernelMachine(const StateReader& state) : expansion_(state) {
  const std::int64_t classes = state.integer("classes");
  constexpr std::int64_t most_classes = 1 << 20;  // more would make more pairs than memory
  check_saved(classes >= 2 && classes < most_classes);
  classes_ = static_cast<std::size_t>(classes);
  one_versus_one_ = state.integer("one_versus_one") != 0;
  const std::size_t expected =
      one_versus_one_ || classes_ == 2 ? classes_ * (classes_ - 1) / 2 : classes_;
  check_saved(expansion_.count() == expected);
  problems_ = opponents(classes_, one_versus_one_);
  origins_ = VectorOrigins::load(state, vectors());
}

void KernelMachine::score(MatrixView kernel, MutableMatrixView scores) const {
  const std::vector<double> decisions = expansion_.values(kernel);
  for (std::size_t r = 0; r < kernel.rows; ++r)
    combine({decisions.data() + r * problems_.size(), problems_.size()}, scores.row_span(r));
}

void KernelMachine::score(MatrixView rows, const Vectors<double>& functions,
                          MutableMatrixView scores) const {
  expansion_.values(rows, functions, [&](std::size_t i, std::span<const double> decisions) {
    combine(decisions, scores.row_span(i));
  });
}

void class_scores(std::size_t classes, bool one_versus_one, std::span<const Opponents> problems,
                  std::span<const double> decisions, std::span<float> scores) {
  if (classes == 2) {
    constexpr float least = std::numeric_limits<float>::denorm_min();
    const auto f = static_cast<float>(decisions[0]);
    scores[0] = decisions[0] > 0 ? std::max(f, least) : std::min(f, -least);
    scores[1] = -scores[0];
    return;
  }
  if (!one_versus_one) {
    for (std::size_t c = 0; c < classes; ++c) scores[c] = static_cast<float>(decisions[c]);
    return;
  }
  std::vector<double> votes(classes), sums(classes);
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const auto positive = static_cast<std::size_t>(problems[p].positive);
    const auto negative = static_cast<std::size_t>(problems[p].negative);
    ++votes[decisions[p] > 0 ? positive : negative];
    sums[positive] += decisions[p];
    sums[negative] -= decisions[p];
  }
  for (std::size_t c = 0; c < classes; ++c)
    scores[c] = static_cast<float>(votes[c] + sums[c] / (3 * std::abs(sums[c]) + 3));
}

}  // namespace semblance::kernel
