// SPDX-License-Identifier: MIT
#include "larger_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"

namespace semblance::kernel {
namespace {

/// K b of one problem, and the largest value on the diagonal at the variables of b.
struct Products {
  std::vector<double> sums;
  double largest = 0;
};

/// The columns of the problem's variables, in their order.
std::vector<numerics::Range> columns_of(const ClassProblems& problems, const Opponents& pair) {
  if (!problems.one_versus_one || problems.classes() == 2) return {{0, problems.starts.back()}};
  return {problems.rows(static_cast<std::size_t>(pair.positive)),
          problems.rows(static_cast<std::size_t>(pair.negative))};
}

Products products(const ClassProblems& problems, const Opponents& pair, std::span<const double> b,
                  Context& context) {
  constexpr std::size_t rows_at_once = 64;
  Products result{std::vector<double>(b.size())};
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b[i] != 0) used.push_back(i);
  for (std::size_t first = 0; first < used.size(); first += rows_at_once) {
    context.check_stop();
    const auto some = std::span(used).subspan(first, std::min(rows_at_once, used.size() - first));
    std::vector<std::uint32_t> rows;
    for (const std::size_t i : some)
      rows.push_back(static_cast<std::uint32_t>(row_of(problems, pair, i)));
    std::size_t variable = 0;
    for (const numerics::Range columns : columns_of(problems, pair)) {
      FloatMatrix values(rows.size(), columns.count);
      problems.source.compute(rows, columns.first, values.view());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto row = values.view().row_span(r);
        for (std::size_t j = 0; j < row.size(); ++j)
          result.sums[variable + j] += b[some[r]] * double{row[j]};
        if (some[r] >= variable && some[r] < variable + columns.count)
          result.largest = std::max(result.largest, double{row[some[r] - variable]});
      }
      variable += columns.count;
    }
  }
  return result;
}

/// b times the factor at which 1/2 b'Kb - y'b is smallest. A variable at its bound reaches the new
/// bound exactly where the factor is the costs' own, however it rounds.
void scale(const ClassProblems& problems, const Opponents& pair, double growth,
           numerics::DualSolution& solution, std::vector<double>& sums) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double gain = 0, curvature = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    gain += std::abs(solution.coefficients[i]);
    curvature += solution.coefficients[i] * sums[i];
  }
  const double factor = curvature > 0 ? std::min(growth, gain / curvature) : growth;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double& b = solution.coefficients[i];
    const double cost = problems.costs[row_of(problems, pair, i)];
    const double grown = std::abs(b) * factor;
    b = std::copysign(grown < cost * (1 - 4 * epsilon) ? grown : cost, b);
    sums[i] *= factor;
  }
}

}  // namespace

InitialStates states_for_larger_costs(const ClassProblems& problems,
                                      const std::vector<numerics::DualSolution>& solutions,
                                      double growth, Context& context) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  InitialStates states;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    numerics::DualSolution start = solutions[p];
    if (start.coefficients.empty()) return {};
    Products known = products(problems, pairs[p], start.coefficients, context);
    scale(problems, pairs[p], growth, start, known.sums);
    const auto positive = problems.rows(static_cast<std::size_t>(pairs[p].positive));
    for (std::size_t i = 0; i < known.sums.size(); ++i)
      known.sums[i] -= row_of(problems, pairs[p], i) - positive.first < positive.count ? 1 : -1;
    states[p] = numerics::warm_start(start, std::move(known.sums));
    states[p].largest_value = known.largest;
  }
  return states;
}

}  // namespace semblance::kernel
