// SPDX-License-Identifier: MIT
#include "solver_figures.hpp"

#include <algorithm>
#include <string>

#include "semblance/error.hpp"

namespace semblance::common {
namespace {

const std::vector<FigureInfo>& known_figures() {
  using enum FigureUnit;
  using enum Better;
  static const std::vector<FigureInfo> all = {
      {"train_seconds", "time that training took", seconds, lower},
      {"objective", "value that training minimizes", plain, lower},
      {"duality_gap", "objective minus lower bound, as a share of the objective", plain, lower},
      {"gradient_norm", "gradient norm of the objective, as a share of the initial one", plain,
       lower},
      {"violation", "largest violation of the optimality conditions", plain, lower},
      {"check_error",
       "largest difference of a sample of values from their definition in double, "
       "as a share of the largest",
       plain, lower},
      {"check_violation",
       "largest violation of the optimality conditions, by the definition, "
       "of a sample of training rows",
       plain, lower},
      {"squared_norm", "squared norm of the weights", plain, none},
      {"bias", "constant added to every decision value", plain, none},
      {"iterations", "number of training iterations", count, lower},
      {"working_sets", "number of problems solved one after another", count, lower},
      {"parameters", "count of numbers in the model", count, lower},
      {"support_vectors", "number of training rows with a coefficient", count, lower},
      {"support_pairs", "number of training pairs with a coefficient", count, lower},
      {"training_pairs", "number of distinct training pairs", count, none},
      {"train_error_rate", "share of misclassified training rows", share, lower}};
  return all;
}

}  // namespace

std::vector<FigureInfo> solver_figures(std::initializer_list<std::string_view> names) {
  std::vector<FigureInfo> figures;
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(known_figures(), name, &FigureInfo::name);
    if (found == known_figures().end())
      throw Error("'" + std::string(name) + "' is not a figure shared by solvers");
    figures.push_back(*found);
  }
  return figures;
}

}  // namespace semblance::common
