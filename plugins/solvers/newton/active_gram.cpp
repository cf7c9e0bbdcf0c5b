// SPDX-License-Identifier: MIT
#include "newton/active_gram.hpp"

#include <algorithm>
#include <iterator>

#include "newton/gram.hpp"

namespace semblance::solvers {
namespace {

using Indices = std::vector<std::size_t>;

Indices difference(const Indices& from, const Indices& without) {
  Indices rest;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                      std::back_inserter(rest));
  return rest;
}

std::size_t count_columns(const Rows& rows, double bias, const Indices& columns) {
  return columns.empty() ? rows.cols() + (bias != 0 ? 1 : 0) : columns.size();
}

}  // namespace

ActiveGram::ActiveGram(const Rows& rows, double bias, std::span<const double> weights,
                       Indices columns)
    : rows_(rows),
      bias_(bias),
      weights_(weights),
      columns_(std::move(columns)),
      sum_(count_columns(rows, bias, columns_), count_columns(rows, bias, columns_)) {}

bool ActiveGram::update(Indices active, Context& context) {
  const Indices entered = difference(active, active_), left = difference(active_, active);
  bool done = false;
  if (entered.size() + left.size() < active.size()) {
    done = add(entered, 1, context) && add(left, -1, context);
  } else {
    sum_.fill(0);
    done = add(active, 1, context);
  }
  active_ = std::move(active);
  return done;
}

bool ActiveGram::add(std::span<const std::size_t> chosen, double sign, Context& context) {
  std::vector<WeightedRow> weighted;
  weighted.reserve(chosen.size());
  for (const std::size_t row : chosen)
    weighted.push_back({row, weights_.empty() ? sign : sign * weights_[row]});
  return add_gram(rows_, weighted, {bias_, {}, columns_}, sum_, context);
}

std::size_t ActiveGram::bytes(std::size_t rows, std::size_t columns) noexcept {
  return columns * padded(columns) * sizeof(double) + rows * sizeof(std::size_t);
}

std::size_t ActiveGram::scratch_bytes(std::size_t columns) noexcept {
  return gram_bytes(columns, sizeof(double));
}

}  // namespace semblance::solvers
