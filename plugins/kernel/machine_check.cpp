// SPDX-License-Identifier: MIT
#include "machine_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "semblance/plain_check.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {
namespace {

constexpr std::size_t most_rows = 256;
const char* const lost_kernel_values = "the kernel's values for a sample of training rows";

/// The number of samples to check. Their kernel values by definition, which take about twenty times
/// as long each, are a small part of the training cost; small problems check more.
std::size_t sampled_rows(const Similarity& kernel, std::size_t rows, std::size_t vectors) {
  constexpr double share = 1.0 / 2000, free_operations = 1e6;
  const double row = static_cast<double>(vectors) * std::max(1.0, kernel.operations());
  const double wanted = std::max(share * static_cast<double>(rows), free_operations / row);
  return static_cast<std::size_t>(std::clamp(wanted, 1.0, double{most_rows}));
}

/// The problems that contain each class.
std::vector<std::vector<std::size_t>> problems_of_classes(const std::vector<Opponents>& pairs,
                                                          std::size_t classes) {
  std::vector<std::vector<std::size_t>> of(classes);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (pairs[p].negative == Opponents::rest) {
      for (auto& problems : of) problems.push_back(p);
    } else {
      of[static_cast<std::size_t>(pairs[p].positive)].push_back(p);
      of[static_cast<std::size_t>(pairs[p].negative)].push_back(p);
    }
  return of;
}

/// The variable of a row in a problem: the inverse of row_of().
std::size_t variable_of(const ClassProblems& p, const Opponents& pair, std::size_t row,
                        std::size_t c) {
  if (!p.one_versus_one || p.classes() == 2) return row;
  const auto positive = static_cast<std::size_t>(pair.positive);
  const std::size_t before = c == positive ? 0 : p.rows(positive).count;
  return before + row - p.starts[c];
}

/// The results of one checked row.
struct RowCheck {
  double error = 0;  ///< of kernel values
  double scale = 0;  ///< the largest of them
  std::optional<double> violation = {};
  double excess = 0;  ///< over the violation reported by the solver for a converged problem
  std::size_t problem = 0;
};

class Sample {
 public:
  Sample(const MachineParts& parts, const SortedSamples& rows, MatrixView vectors, Context& context)
      : parts_(parts),
        plain_(dynamic_cast<const PlainSimilarity*>(&parts.kernel)),
        places_(drawn_sample(rows.order.size(),
                             sampled_rows(parts.kernel, rows.order.size(), vectors.rows))),
        samples_(rows.values_at(places_, context)),
        centre_(rows.centre),
        vectors_(vectors),
        pairs_(opponents(parts.problems.classes(), parts.problems.one_versus_one)),
        of_class_(problems_of_classes(pairs_, parts.problems.classes())) {}

  std::vector<RowCheck> check(Context& context) const {
    std::vector<RowCheck> checks(places_.size());
    context.parallel_for(places_.size(), [&](std::size_t i) { checks[i] = check_row(i, context); });
    return checks;
  }

 private:
  RowCheck check_row(std::size_t i, Context& context) const {
    context.check_stop();
    const MatrixView sample = samples_.view().rows_range(i, 1);
    const std::size_t vectors = vectors_.rows;
    FloatMatrix fast(1, vectors);
    parts_.kernel.apply(sample, fast.view(), context);
    std::vector<double> values(fast.values.begin(), fast.values.end());
    RowCheck check;
    if (plain_) {
      plain_->compare_plainly(vectors_, sample, values.data());
      for (std::size_t j = 0; j < vectors; ++j) {
        const double apart = std::abs(double{fast.values[j]} - values[j]);
        check.error = std::max(check.error, std::isnan(apart) ? HUGE_VAL : apart);
        check.scale = std::max(check.scale, std::abs(values[j]));
      }
      double own = 0;
      plain_->compare_plainly(sample, sample, &own);
      check.scale = std::max(check.scale, std::abs(own));
    }
    if (!parts_.optimal || (parts_.symmetrised && !plain_)) return check;
    if (parts_.symmetrised) symmetrise(sample, values);
    if (!centre_.empty()) multiply_about_centre(sample, values);
    judge(places_[i], values, check);
    return check;
  }

  void symmetrise(MatrixView sample, std::vector<double>& values) const {
    for (std::size_t j = 0; j < values.size(); ++j) {
      double other = 0;
      plain_->compare_plainly(sample, vectors_.rows_range(j, 1), &other);
      values[j] = (values[j] + other) / 2;
    }
  }

  /// Kernel values about the centre, which belong to the biases of a machine trained about it.
  void multiply_about_centre(MatrixView sample, std::vector<double>& values) const {
    for (std::size_t j = 0; j < values.size(); ++j) {
      values[j] = 0;
      for (std::size_t k = 0; k < centre_.size(); ++k)
        values[j] +=
            (double{vectors_.row(j)[k]} - centre_[k]) * (double{sample.row(0)[k]} - centre_[k]);
    }
  }

  /// Checks the decision values of the row in its problems.
  void judge(std::size_t place, const std::vector<double>& values, RowCheck& check) const {
    const ClassProblems& problems = parts_.problems;
    const auto after = std::ranges::upper_bound(problems.starts, place);
    const auto c = static_cast<std::size_t>(after - problems.starts.begin()) - 1;
    for (const std::size_t p : of_class_[c]) {
      const numerics::DualSolution& solution = parts_.solutions[p];
      double decision = solution.bias;
      for (const Term& term : parts_.terms[p]) decision += term.coefficient * values[term.vector];
      const bool positive = c == static_cast<std::size_t>(pairs_[p].positive);
      const double margin = positive ? decision : -decision, cost = problems.costs[place];
      const std::size_t variable = variable_of(problems, pairs_[p], place, c);
      const double alpha =
          solution.coefficients.empty() ? 0 : std::abs(solution.coefficients[variable]);
      const double violation = numerics::optimality_violation(alpha, cost, margin);
      check.violation = std::max(check.violation.value_or(0), violation);
      if (solution.certificate != Certificate::converged) continue;
      if (const double excess = violation - solution.violation; excess > check.excess) {
        check.excess = excess;
        check.problem = p;
      }
    }
  }

  const MachineParts& parts_;
  const PlainSimilarity* plain_;
  std::vector<std::size_t> places_;
  FloatMatrix samples_;
  std::span<const float> centre_;
  MatrixView vectors_;
  std::vector<Opponents> pairs_;
  std::vector<std::vector<std::size_t>> of_class_;
};

/// Checks some hundred rows, each with a few of the vectors.
std::optional<double> check_kernel(const Similarity& kernel, const SortedSamples& rows,
                                   MatrixView vectors, Context& context) {
  const auto places = checked_rows(rows.order.size());
  const FloatMatrix samples = rows.values_at(places, context);
  const auto error = check_similarity(kernel, vectors, samples.view(), context, lost_kernel_values);
  // About a centre, the machine computes in double.
  if (rows.centre.empty())
    check_differences(kernel, vectors, samples.view(), Differences::of_samples_and_bases, context);
  return error;
}

}  // namespace

MachineCheck check_machine(const MachineParts& parts, const SortedSamples& rows, Context& context) {
  const ClassProblems& problems = parts.problems;
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  const auto cost_of = [&](std::size_t c) {
    const numerics::Range range = problems.rows(c);
    const auto first = problems.costs.begin() + static_cast<std::ptrdiff_t>(range.first);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(range.count), 0.0);
  };
  std::vector<double> costs(problems.classes());
  for (std::size_t c = 0; c < costs.size(); ++c) costs[c] = cost_of(c);
  const double all = std::accumulate(costs.begin(), costs.end(), 0.0);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    numerics::check_objective(parts.solutions[p],
                              pairs[p].negative == Opponents::rest
                                  ? all
                                  : costs[static_cast<std::size_t>(pairs[p].positive)] +
                                        costs[static_cast<std::size_t>(pairs[p].negative)]);
  const FloatMatrix vectors = rows.values_at(parts.places, context);
  RowCheck worst;
  MachineCheck result;
  const auto of_many = check_kernel(parts.kernel, rows, vectors.view(), context);
  for (const RowCheck& row : Sample(parts, rows, vectors.view(), context).check(context)) {
    worst.error = std::max(worst.error, row.error);
    worst.scale = std::max(worst.scale, row.scale);
    if (row.violation) result.violation = std::max(result.violation.value_or(0), *row.violation);
    if (row.excess > worst.excess) {
      worst.excess = row.excess;
      worst.problem = row.problem;
    }
  }
  if (of_many) {
    const double of_all =
        worst.error > 0 && worst.scale > 0 ? worst.error / worst.scale : worst.error;
    result.error = std::max(of_all, *of_many);
    if (*result.error > largest_check_error) throw_lost_values(lost_kernel_values, *result.error);
  }
  if (worst.excess > numerics::largest_excess) {
    const double seen = parts.solutions[worst.problem].violation;
    numerics::throw_false_certificate(worst.excess + seen, seen);
  }
  return result;
}

}  // namespace semblance::kernel
