// SPDX-License-Identifier: MIT
#include "nearest_formula.hpp"

#include <limits>

#include "semblance/error.hpp"

namespace semblance::neighbours {
namespace {

/// Below all similarities, which are float32 numbers.
constexpr double taken = std::numeric_limits<double>::lowest();

}  // namespace

Formula::Value write_places(Formula& formula, const SimilarBases& bases) {
  std::vector<double> places;
  for (const std::int64_t row : bases.rows()) places.push_back(-static_cast<double>(row));
  return formula.constant(places);
}

std::vector<WrittenNeighbour> write_nearest(Formula& formula, Formula::Value similarities,
                                            const SimilarBases& bases, std::size_t k) {
  if (!bases.weights().empty())
    throw Error("training rows with weights cannot be written as a formula");
  const Formula::Value places = write_places(formula, bases);
  const auto number = [&](double value) { return formula.number(value, places); };
  std::vector<WrittenNeighbour> found;
  Formula::Value left = similarities;
  while (found.size() < k) {
    const Formula::Value largest = formula.largest(left);
    const Formula::Value tied = formula.where_greater(largest, left, number(taken), places);
    const Formula::Value chosen =
        formula.where_greater(formula.largest(tied), tied, number(0), number(1));
    found.push_back({largest, chosen});
    if (found.size() < k) left = formula.where_greater(chosen, number(0), number(taken), left);
  }
  return found;
}

}  // namespace semblance::neighbours
