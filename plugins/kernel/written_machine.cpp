// SPDX-License-Identifier: MIT
// The scores of a machine as a formula.
#include <limits>

#include "kernel_machine.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {

Formula::Value KernelMachine::write_votes(Formula& formula, Formula::Value decisions) const {
  const std::size_t count = problems_.size();
  if (count > Formula::most_constants / (2 * classes_))
    throw Error("one against one, " + std::to_string(classes_) + " classes make " +
                std::to_string(count) + " problems, too many to write down; use one_versus_rest");
  // A positive problem is a vote for its first class, otherwise for its second.
  std::vector<double> signs(classes_ * count), lost(classes_);
  for (std::size_t p = 0; p < count; ++p) {
    const auto positive = static_cast<std::size_t>(problems_[p].positive);
    const auto negative = static_cast<std::size_t>(problems_[p].negative);
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

Formula::Value KernelMachine::write(Formula& formula, Formula::Value kernel) const {
  return write_scores(formula, expansion_.write(formula, kernel));
}

Formula::Value KernelMachine::write(Formula& formula, const Vectors<double>& functions,
                                    Formula::Value in) const {
  return write_scores(formula, expansion_.write(formula, functions, in));
}

Formula::Value KernelMachine::write_scores(Formula& formula, Formula::Value decisions) const {
  if (classes_ != 2) {
    if (!one_versus_one_) return formula.narrow(decisions);
    return write_votes(formula, decisions);
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

/// The class of each vector by the signs of its coefficients (positive for a problem's first
/// class), or -1 if it has none.
std::vector<std::int32_t> KernelMachine::classes_of_vectors() const {
  std::vector<std::int32_t> classes(vectors(), -1);
  for (const KernelExpansion::Group& g : expansion_.groups())
    for (std::size_t k = 0; k < g.functions.size(); ++k)
      for (std::size_t i = 0; i < g.count; ++i) {
        const double b = g.coefficients.row(k)[i];
        if (b == 0) continue;
        const Opponents& pair = problems_[g.functions[k]];
        const std::int32_t own = b > 0 ? pair.positive : pair.negative;
        std::int32_t& known = classes[g.first + i];
        if (known != -1 && known != own)
          throw Error(
              "its kernel was repaired, which LIBSVM's format cannot say; use a kernel that is "
              "positive semi-definite");
        known = own;
      }
  return classes;
}

SupportVectorMachine KernelMachine::with_vectors(const SupportVectorMachine& kernel) const {
  if (!one_versus_one_ && classes_ > 2)
    throw Error("LIBSVM's machines are one against one; train with 'multiclass: one_versus_one'");
  const std::vector<std::int32_t> owners = classes_of_vectors();
  SupportVectorMachine machine = kernel;
  machine.scores = SupportVectorMachine::Scores::votes_sums;
  machine.starts.assign(1, 0);
  machine.columns.clear();
  machine.values.clear();
  std::vector<std::size_t> place(vectors());
  for (std::size_t c = 0; c < classes_; ++c) {
    machine.labels.push_back(static_cast<std::int32_t>(c));
    const std::size_t before = machine.vectors();
    for (std::size_t i = 0; i < vectors(); ++i) {
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
  machine.coefficients.assign((classes_ - 1) * count, 0);
  for (const KernelExpansion::Group& g : expansion_.groups())
    for (std::size_t k = 0; k < g.functions.size(); ++k) {
      const Opponents& pair = problems_[g.functions[k]];
      for (std::size_t i = 0; i < g.count; ++i) {
        const double b = g.coefficients.row(k)[i];
        if (b == 0) continue;
        // The other class is counted without the own class.
        const auto row = static_cast<std::size_t>(b > 0 ? pair.negative - 1 : pair.positive);
        machine.coefficients[row * count + place[g.first + i]] = b;
      }
    }
  for (const double bias : expansion_.biases()) machine.rho.push_back(-bias);
  return machine;
}

}  // namespace semblance::kernel
