// SPDX-License-Identifier: MIT
#include "dual_variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::numerics {

LocalVariables::LocalVariables(const DualProblem& problem, Context& context)
    : ranks_(context.collectives()), owners_(problem.owners), list_(problem.size()) {
  std::iota(list_.begin(), list_.end(), 0U);
  std::erase_if(list_, [&](std::uint32_t i) { return !has(i); });
}

std::size_t LocalVariables::local_index(std::uint32_t variable) const noexcept {
  if (!distributed()) return variable;
  return static_cast<std::size_t>(std::ranges::lower_bound(list_, variable) - list_.begin());
}

template <class T>
std::vector<T> LocalVariables::in_order(std::span<const std::uint32_t> variables,
                                        std::vector<T> local, std::size_t each) const {
  if (!distributed()) return local;
  const std::vector<T> values = ranks_.gather(local);
  if (values.size() != variables.size() * each)
    throw Error("internal error: values of other ranks are missing");
  std::vector<std::size_t> next(ranks_.ranks() + 1);  // of each rank's values
  for (const std::uint32_t i : variables) next[owners_[i] + 1] += each;
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<T> ordered(values.size());
  auto to = ordered.begin();
  for (const std::uint32_t i : variables) {
    std::size_t& from = next[owners_[i]];
    to = std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from), each, to);
    from += each;
  }
  return ordered;
}

std::vector<float> LocalVariables::gather_all(std::span<const std::uint32_t> variables,
                                              std::vector<float> local, std::size_t each) const {
  return in_order(variables, std::move(local), each);
}

std::vector<double> LocalVariables::gather_all(std::vector<double> local) const {
  if (!distributed()) return local;
  std::vector<std::uint32_t> all(owners_.size());
  std::iota(all.begin(), all.end(), 0U);
  return in_order(all, std::move(local), 1);
}

DualPoint::DualPoint(const DualProblem& p, const LocalVariables& local_variables)
    : problem(p),
      local(local_variables),
      values(p.start.empty() ? std::vector<double>(p.size()) : p.start) {
  gradients.reserve(local.count());
  for (const std::uint32_t i : local.list()) gradients.push_back(first_gradient(i));
}

void DualPoint::mirror_gradients() {
  const std::size_t rows = problem.parts[0].count;
  for (std::size_t i = 0; i < rows; ++i)
    gradients[rows + i] = gradients[i] + (first_gradient(rows + i) - first_gradient(i));
}

double DualPoint::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i] * (gradients[i] - linear_term(problem, i));
  return sum / 2;
}

double DualPoint::rounding(double largest_value) const {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return std::numeric_limits<double>::epsilon() * sum * largest_value;
}

}  // namespace semblance::numerics
