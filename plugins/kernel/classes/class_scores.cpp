// SPDX-License-Identifier: MIT
#include "classes/class_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

Formula::Value write_votes(Formula& formula, std::size_t classes, std::span<const Opposed> problems,
                           Formula::Value decisions) {
  const std::size_t count = problems.size();
  if (count > Formula::most_constants / (2 * classes))
    throw Error("one against one, " + std::to_string(classes) + " classes make " +
                std::to_string(count) + " problems, too many to write down; use one_versus_rest");
  // A positive problem is a vote for its first class, otherwise for its second.
  std::vector<double> signs(classes * count), lost(classes);
  for (std::size_t p = 0; p < count; ++p) {
    const auto positive = static_cast<std::size_t>(problems[p].first);
    const auto negative = static_cast<std::size_t>(problems[p].second);
    signs[positive * count + p] = 1;
    signs[negative * count + p] = -1;
    ++lost[negative];
  }
  const auto zero = formula.number(0, decisions), one = formula.number(1, decisions);
  const auto won = formula.where_greater(decisions, zero, one, zero);
  const auto votes =
      formula.add(formula.products(won, signs), formula.constant(std::span<const double>(lost)));
  const auto sums = formula.products(decisions, signs);
  const auto three = formula.number(3, sums);
  const auto scale = formula.add(formula.multiply(formula.absolute(sums), three), three);
  return formula.narrow(formula.add(votes, formula.divide(sums, scale)));
}

/// The class of each vector by the signs of its coefficients (positive for a problem's first
/// class), or -1 if it has none.
std::vector<std::int32_t> classes_of_vectors(const KernelExpansion& functions,
                                             std::span<const Opposed> problems) {
  std::vector<std::int32_t> classes(functions.vectors(), -1);
  for (const KernelExpansion::Group& g : functions.groups())
    for (std::size_t k = 0; k < g.functions.size(); ++k)
      for (std::size_t i = 0; i < g.count; ++i) {
        const double b = g.coefficients.row(k)[i];
        if (b == 0) continue;
        const Opposed& pair = problems[g.functions[k]];
        const std::int32_t own = b > 0 ? pair.first : pair.second;
        std::int32_t& known = classes[g.first + i];
        if (known != -1 && known != own)
          throw Error(
              "its kernel was repaired, which LIBSVM's format cannot say; use a kernel that is "
              "positive semi-definite");
        known = own;
      }
  return classes;
}

}  // namespace

std::vector<Opposed> opponents(std::size_t classes, bool one_versus_one) {
  std::vector<Opposed> problems;
  const auto count = static_cast<std::int32_t>(classes);
  if (!one_versus_one && classes > 2) {
    for (std::int32_t c = 0; c < count; ++c) problems.push_back({c, Opposed::rest});
    return problems;
  }
  problems.reserve(classes * (classes - 1) / 2);
  for (std::int32_t a = 0; a < count; ++a)
    for (std::int32_t b = a + 1; b < count; ++b) problems.push_back({a, b});
  return problems;
}

void class_scores(std::size_t classes, bool one_versus_one, std::span<const Opposed> problems,
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
    const auto positive = static_cast<std::size_t>(problems[p].first);
    const auto negative = static_cast<std::size_t>(problems[p].second);
    ++votes[decisions[p] > 0 ? positive : negative];
    sums[positive] += decisions[p];
    sums[negative] -= decisions[p];
  }
  for (std::size_t c = 0; c < classes; ++c)
    scores[c] = static_cast<float>(votes[c] + sums[c] / (3 * std::abs(sums[c]) + 3));
}

Formula::Value write_scores(Formula& formula, std::size_t classes, bool one_versus_one,
                            std::span<const Opposed> problems, Formula::Value decisions) {
  if (classes != 2) {
    if (!one_versus_one) return formula.narrow(decisions);
    return write_votes(formula, classes, problems, decisions);
  }
  // A decision value of 0 belongs to the second class. Not the smallest denormal, which some
  // processors treat as 0.
  constexpr double least = std::numeric_limits<float>::min();
  const auto positive = formula.maximum(decisions, formula.number(least, decisions));
  const auto negative = formula.minimum(decisions, formula.number(-least, decisions));
  const auto zero = formula.number(0, decisions);
  const auto score = formula.where_greater(decisions, zero, positive, negative);
  const auto other = formula.multiply(score, formula.number(-1, score));
  return formula.narrow(formula.concatenate(std::vector<Formula::Value>{score, other}));
}

SupportVectorMachine libsvm_machine(const KernelExpansion& functions, std::size_t classes,
                                    std::span<const Opposed> problems,
                                    const SupportVectorMachine& kernel) {
  if (problems.front().second == Opposed::rest)
    throw Error("LIBSVM's machines are one against one; train with 'multiclass: one_versus_one'");
  const std::vector<std::int32_t> owners = classes_of_vectors(functions, problems);
  SupportVectorMachine machine = kernel;
  machine.scores = SupportVectorMachine::Scores::votes_sums;
  machine.starts.assign(1, 0);
  machine.columns.clear();
  machine.values.clear();
  std::vector<std::size_t> place(functions.vectors());
  for (std::size_t c = 0; c < classes; ++c) {
    machine.labels.push_back(static_cast<std::int32_t>(c));
    const std::size_t before = machine.vectors();
    for (std::size_t i = 0; i < functions.vectors(); ++i) {
      if (owners[i] != static_cast<std::int32_t>(c)) continue;
      place[i] = machine.vectors();
      for (std::size_t k = kernel.starts[i]; k < kernel.starts[i + 1]; ++k) {
        machine.columns.push_back(kernel.columns[k]);
        machine.values.push_back(kernel.values[k]);
      }
      machine.starts.push_back(machine.values.size());
    }
    machine.counts.push_back(machine.vectors() - before);
  }
  const std::size_t count = machine.vectors();
  machine.coefficients.assign((classes - 1) * count, 0);
  for (const KernelExpansion::Group& g : functions.groups())
    for (std::size_t k = 0; k < g.functions.size(); ++k) {
      const Opposed& pair = problems[g.functions[k]];
      for (std::size_t i = 0; i < g.count; ++i) {
        const double b = g.coefficients.row(k)[i];
        if (b == 0) continue;
        // The other class is counted without the own class.
        const auto row = static_cast<std::size_t>(b > 0 ? pair.second - 1 : pair.first);
        machine.coefficients[row * count + place[g.first + i]] = b;
      }
    }
  for (const double bias : functions.biases()) machine.rho.push_back(-bias);
  return machine;
}

}  // namespace semblance::kernel
