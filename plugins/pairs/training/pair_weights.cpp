// SPDX-License-Identifier: MIT
#include "training/pair_weights.hpp"

#include <cmath>

#include "semblance/error.hpp"

namespace semblance::pairs {

PairWeights::PairWeights(const NamedValues& given) {
  for (const auto& [name, value] : given) {
    if (name != "same" && name != "different")
      throw Error("'class_weights' of a solver of pairs names '" + name +
                  "'; it may name same and different");
    double weight = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) weight = static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) weight = *number;
    if (!(weight > 0) || !std::isfinite(weight))
      throw Error("'class_weights." + name + "' must be a number above 0, got " +
                  to_text(Value(NamedValues{{name, value}})));
    (name == "same" ? same : different) = weight;
  }
}

}  // namespace semblance::pairs
