// SPDX-License-Identifier: MIT
#include "pair_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "semblance/plain_check.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::pairwise {
namespace {

/// The number of checked pairs, a small part of the training time.
std::size_t sampled_pairs(std::size_t pairs, std::size_t support, std::size_t examples,
                          double operations) {
  constexpr double share = 1.0 / 2000, free_operations = 1e6, of_a_pair = 20;
  const double one =
      of_a_pair * static_cast<double>(support) + 2 * operations * static_cast<double>(examples);
  const double wanted = std::max(share * static_cast<double>(pairs), free_operations / one);
  return static_cast<std::size_t>(std::clamp(wanted, 4.0, 256.0));
}

/// Decision values of pairs, by definition.
class PlainDecision {
 public:
  PlainDecision(const PairKernel& kernel, const PlainSimilarity& standard, MatrixView examples,
                const PairColumns& pairs, const numerics::DualSolution& solution)
      : kernel_(kernel),
        standard_(standard),
        examples_(examples),
        pairs_(pairs),
        solution_(solution) {
    for (std::size_t p = 0; p < solution.coefficients.size(); ++p)
      if (solution.coefficients[p] != 0) support_.push_back(p);
  }

  std::size_t support() const noexcept { return support_.size(); }

  double of(std::size_t pair) const {
    const std::vector<double> a = values(pairs_.first()[pair]), b = values(pairs_.second()[pair]);
    double sum = solution_.bias;
    for (const std::size_t p : support_) {
      const auto c = static_cast<std::size_t>(pairs_.first()[p]);
      const auto d = static_cast<std::size_t>(pairs_.second()[p]);
      const double order =
          pairs_.signs().empty() ? 0.0 : double{pairs_.signs()[pair]} * double{pairs_.signs()[p]};
      sum += solution_.coefficients[p] * kernel_.evaluate({a[c], a[d], b[c], b[d], order});
    }
    return sum;
  }

 private:
  std::vector<double> values(std::int32_t example) const {
    std::vector<double> all(examples_.rows);
    standard_.compare_plainly(examples_, examples_.rows_range(static_cast<std::size_t>(example), 1),
                              all.data());
    return all;
  }

  const PairKernel& kernel_;
  const PlainSimilarity& standard_;
  MatrixView examples_;
  const PairColumns& pairs_;
  const numerics::DualSolution& solution_;
  std::vector<std::size_t> support_;
};

}  // namespace

std::optional<double> check_solution(const PairKernel& kernel, MatrixView examples,
                                     const PairColumns& pairs, const numerics::DualProblem& problem,
                                     const numerics::DualSolution& solution, Context& context) {
  numerics::check_objective(solution,
                            std::accumulate(problem.costs.begin(), problem.costs.end(), 0.0));
  const Similarity& standard = kernel.standard_kernel();
  const auto* plain = dynamic_cast<const PlainSimilarity*>(&standard);
  if (!plain || solution.coefficients.empty()) return std::nullopt;
  const PlainDecision decision(kernel, *plain, examples, pairs, solution);
  const std::size_t count = problem.labels.size();
  const auto drawn = drawn_sample(
      count, sampled_pairs(count, decision.support(), examples.rows, standard.operations()));
  std::vector<double> violations(drawn.size());
  context.parallel_for(drawn.size(), [&](std::size_t i) {
    const std::size_t p = drawn[i];
    violations[i] = numerics::optimality_violation(
        std::abs(solution.coefficients[p]), problem.costs[p], problem.labels[p] * decision.of(p));
  });
  const double worst = *std::ranges::max_element(violations);
  if (solution.certificate == Certificate::converged &&
      worst > solution.violation + numerics::largest_excess)
    numerics::throw_false_certificate(worst, solution.violation);
  return worst;
}

}  // namespace semblance::pairwise
