// SPDX-License-Identifier: MIT
#include "own_variables.hpp"

#include <algorithm>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::numerics {

OwnVariables::OwnVariables(const DualProblem& problem, Context& context)
    : ranks_(context.collectives()), owners_(problem.owners), list_(problem.size()) {
  std::iota(list_.begin(), list_.end(), 0U);
  std::erase_if(list_, [&](std::uint32_t i) { return !has(i); });
}

std::size_t OwnVariables::place(std::uint32_t variable) const noexcept {
  if (!spread()) return variable;
  return static_cast<std::size_t>(std::ranges::lower_bound(list_, variable) - list_.begin());
}

template <class T>
std::vector<T> OwnVariables::in_order(std::span<const std::uint32_t> variables, std::vector<T> own,
                                      std::size_t each) const {
  if (!spread()) return own;
  const std::vector<T> values = ranks_.gather(own);
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

std::vector<float> OwnVariables::of_all(std::span<const std::uint32_t> variables,
                                        std::vector<float> own, std::size_t each) const {
  return in_order(variables, std::move(own), each);
}

std::vector<double> OwnVariables::of_all(std::vector<double> own) const {
  if (!spread()) return own;
  std::vector<std::uint32_t> all(owners_.size());
  std::iota(all.begin(), all.end(), 0U);
  return in_order(all, std::move(own), 1);
}

}  // namespace semblance::numerics
