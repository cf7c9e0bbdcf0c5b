// SPDX-License-Identifier: MIT
// KernelExpansion::values() as a formula.
#include <algorithm>
#include <numeric>

#include "expansion/kernel_expansion.hpp"

namespace semblance::kernel {

/// Each group of vectors contributes to the values of few functions: concatenates these
/// sums, from which each function gathers its own.
Formula::Value KernelExpansion::write(Formula& formula, Formula::Value kernel) const {
  const Formula::Value values = formula.widen(kernel);
  auto sum = formula.constant(std::span<const double>(biases_));
  std::vector<Formula::Value> sums;
  std::vector<std::vector<std::size_t>> places(count());  // of a function's sums
  std::size_t place = 0;
  for (const Group& g : groups_) {
    std::vector<std::size_t> columns(g.count);
    std::iota(columns.begin(), columns.end(), g.first);
    std::vector<double> matrix;
    for (std::size_t k = 0; k < g.functions.size(); ++k) {
      matrix.insert(matrix.end(), g.coefficients.row(k), g.coefficients.row(k) + g.count);
      places[g.functions[k]].push_back(place++);
    }
    const auto own = g.count == vectors_ ? values : formula.gather(values, std::move(columns));
    sums.push_back(formula.products(own, matrix));
  }
  if (sums.empty()) return sum;
  sums.push_back(formula.number(0, sum));  // for functions with fewer groups
  const auto all = formula.concatenate(sums);
  std::size_t most = 0;
  for (const auto& own : places) most = std::max(most, own.size());
  for (std::size_t r = 0; r < most; ++r) {
    std::vector<std::size_t> columns;
    columns.reserve(places.size());
    for (const auto& own : places) columns.push_back(r < own.size() ? own[r] : place);
    sum = formula.add(sum, formula.gather(all, std::move(columns)));
  }
  return sum;
}

Formula::Value KernelExpansion::write(Formula& formula, const Vectors<double>& weights,
                                      Formula::Value in) const {
  std::vector<double> rows;
  for (std::size_t p = 0; p < weights.count(); ++p)
    rows.insert(rows.end(), weights.row(p), weights.row(p) + weights.cols());
  return formula.add(formula.products(formula.widen(in), rows),
                     formula.constant(std::span<const double>(biases_)));
}

}  // namespace semblance::kernel
