// SPDX-License-Identifier: MIT
#include "solver_figures.hpp"

#include <algorithm>
#include <string>

#include "semblance/error.hpp"

namespace semblance::solvers {
namespace {

const std::vector<FigureInfo>& known_figures() {
  using enum FigureUnit;
  using enum Better;
  static const std::vector<FigureInfo> all = {
      {"train_seconds", "what training took", seconds, lower},
      {"objective", "what training minimises", plain, lower},
      {"duality_gap", "objective minus lower bound, as a part of the objective", plain, lower},
      {"gradient_norm", "of the objective, as a part of that at the start", plain, lower},
      {"violation", "largest violation of the optimality conditions", plain, lower},
      {"squared_norm", "of the weights", plain, none},
      {"bias", "what is added to every decision value", plain, none},
      {"iterations", "of the training", count, lower},
      {"working_sets", "that were solved one after another", count, lower},
      {"parameters", "numbers that the model consists of", count, lower},
      {"support_vectors", "training rows with a coefficient", count, lower},
      {"support_pairs", "training pairs with a coefficient", count, lower},
      {"training_pairs", "that were learned from, repeated ones once", count, none},
      {"train_error_rate", "share of training rows that get another class", share, lower}};
  return all;
}

}  // namespace

std::vector<FigureInfo> solver_figures(std::initializer_list<std::string_view> names) {
  std::vector<FigureInfo> figures;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(known_figures(), name, &FigureInfo::name);
    if (found == known_figures().end())
      throw Error("'" + std::string(name) + "' is no figure that solvers share");
    figures.push_back(*found);
  }
  return figures;
}

}  // namespace semblance::solvers
