// SPDX-License-Identifier: MIT
#include "interval_formula.hpp"

#include <vector>

namespace semblance::common {

IntervalParts interval_parts(Formula& formula, Formula::Value row) {
  const auto part = [&](std::size_t first) {
    std::vector<std::size_t> columns;
    for (std::size_t c = first; c < formula.width(row); c += 3) columns.push_back(c);
    return formula.gather(row, std::move(columns));
  };
  return {part(0), part(1), part(2)};
}

Formula::Value interval_row(Formula& formula, const IntervalParts& parts) {
  const std::size_t targets = formula.width(parts.estimate);
  const auto beside =
      formula.concatenate(std::vector<Formula::Value>{parts.lower, parts.estimate, parts.upper});
  std::vector<std::size_t> columns;
  for (std::size_t t = 0; t < targets; ++t)
    for (std::size_t part = 0; part < 3; ++part) columns.push_back(part * targets + t);
  return formula.gather(beside, std::move(columns));
}

namespace {

/// Half the distance of float32 numbers near a bound, or a little more.
Formula::Value half_step(Formula& formula, Formula::Value bound) {
  return formula.multiply(formula.absolute(bound), formula.number(0x1p-24, bound));
}

}  // namespace

Formula::Value down_to_float32(Formula& formula, Formula::Value bound) {
  return formula.narrow(formula.subtract(bound, half_step(formula, bound)));
}

Formula::Value up_to_float32(Formula& formula, Formula::Value bound) {
  return formula.narrow(formula.add(bound, half_step(formula, bound)));
}

}  // namespace semblance::common
