// SPDX-License-Identifier: MIT
#include "expansion_model.hpp"

#include <algorithm>

#include "semblance/context.hpp"
#include "semblance/error.hpp"

namespace semblance::pairwise {
namespace {

constexpr std::size_t pairs_compared_at_once = 256;
constexpr std::size_t columns_at_once = 1024;

std::vector<std::int64_t> wide(std::span<const std::int32_t> values) {
  return {values.begin(), values.end()};
}

std::vector<std::int32_t> examples(const StateReader& state, const char* name, std::size_t bases) {
  std::vector<std::int32_t> values;
  for (const std::int64_t value : state.integers(name)) {
    if (value < 0 || static_cast<std::size_t>(value) >= bases)
      throw Error(
          "the saved pairwise model refers to a basis that it does not have; train it again");
    values.push_back(static_cast<std::int32_t>(value));
  }
  return values;
}

}  // namespace

float order_sign(float a, float b) noexcept { return a > b ? 1.0F : a < b ? -1.0F : 0.0F; }

void ExpansionModel::score(const PairKernel& kernel, MatrixView values,
                           std::span<const float> coordinates, const PairSet& set,
                           std::span<float> out, Context& context) const {
  const std::vector<Pair> expanded = set.is_list() ? std::vector<Pair>() : set.expanded();
  const std::span<const Pair> list = set.is_list() ? set.list() : expanded;
  const auto sum = [&](std::size_t a, std::size_t b) {
    const float sign = coordinates.empty() ? 0.0F : order_sign(coordinates[a], coordinates[b]);
    float row[columns_at_once];
    double f = 0;
    for (std::size_t first = 0; first < coefficients.size(); first += columns_at_once) {
      const std::size_t count = std::min(columns_at_once, coefficients.size() - first);
      pairs.evaluate(kernel, values.row(a), values.row(b), sign, first, count, row);
      for (std::size_t j = 0; j < count; ++j) f += coefficients[first + j] * row[j];
    }
    return f;
  };
  context.parallel_for(
      (list.size() + pairs_compared_at_once - 1) / pairs_compared_at_once, [&](std::size_t block) {
        context.check_stop();
        for (std::size_t p = block * pairs_compared_at_once;
             p < std::min(list.size(), (block + 1) * pairs_compared_at_once); ++p) {
          const auto a = static_cast<std::size_t>(list[p].first);
          const auto b = static_cast<std::size_t>(list[p].second);
          out[p] = static_cast<float>((sum(a, b) + sum(b, a)) / 2 + bias);
        }
      });
}

void ExpansionModel::save(StateWriter& state) const {
  state.number("bias", bias);
  state.integer("bases", static_cast<std::int64_t>(bases));
  state.doubles("coefficients", coefficients);
  state.integers("first", wide(pairs.first()));
  state.integers("second", wide(pairs.second()));
  const std::vector<double> signs(pairs.signs().begin(), pairs.signs().end());
  state.doubles("signs", signs);
}

ExpansionModel ExpansionModel::load(const StateReader& state) {
  ExpansionModel model;
  model.bias = state.number("bias");
  model.bases = static_cast<std::size_t>(std::max<std::int64_t>(state.integer("bases"), 0));
  model.coefficients = state.doubles("coefficients");
  const std::vector<double> signs = state.doubles("signs");
  model.pairs =
      PairColumns(examples(state, "first", model.bases), examples(state, "second", model.bases),
                  std::vector<float>(signs.begin(), signs.end()));
  const std::size_t n = model.coefficients.size();
  if (model.pairs.size() != n || model.pairs.second().size() != n ||
      (!signs.empty() && signs.size() != n))
    throw Error("the saved pairwise model has arrays of different sizes; train it again");
  return model;
}

}  // namespace semblance::pairwise
