// SPDX-License-Identifier: MIT
#include "centre.hpp"

#include <algorithm>
#include <string>

#include "semblance/error.hpp"

namespace semblance::normalizers {

Centre::Centre(std::span<const double> values) {
  high_.assign(values.begin(), values.end());
  low_.resize(values.size());
  values_.resize(values.size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    low_[c] = static_cast<float>(values[c] - double{high_[c]});
    values_[c] = double{high_[c]} + double{low_[c]};
  }
}

void Centre::save(StateWriter& state, std::string_view name) const {
  FloatMatrix rows(2, size());
  std::ranges::copy(high_, rows.view().row(0));
  std::ranges::copy(low_, rows.view().row(1));
  state.floats(name, std::as_const(rows).view());
}

Centre Centre::load(const StateReader& state, std::string_view name) {
  const FloatMatrix rows = state.floats(name);
  if (rows.rows != 1 && rows.rows != 2)
    throw Error("the state's '" + std::string(name) + "' has " + std::to_string(rows.rows) +
                " rows, not 2; fit it again");
  std::vector<double> values(rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t c = 0; c < rows.cols; ++c) values[c] += double{rows.view().row(i)[c]};
  return Centre(values);
}

Formula::Value Centre::subtract(Formula& formula, Formula::Value in) const {
  if (formula.wide(in))
    return formula.subtract(in, formula.constant(std::span<const double>(values_)));
  const auto near = formula.subtract(in, formula.constant(std::span<const float>(high_)));
  if (std::ranges::all_of(low_, [](float x) { return x == 0; })) return near;
  return formula.subtract(near, formula.constant(std::span<const float>(low_)));
}

}  // namespace semblance::normalizers
