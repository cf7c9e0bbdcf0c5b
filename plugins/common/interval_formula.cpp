// SPDX-License-Identifier: MIT
#include "interval_formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace semblance::common {

namespace {

/// The nearest float32 that is not above a number.
float rounded_down(double number) {
  const auto rounded = static_cast<float>(number);
  return double{rounded} > number ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
                                  : rounded;
}

}  // namespace

void set_ends(double lower, double upper, float* interval) {
  interval[0] = std::min(rounded_down(lower), interval[1]);
  interval[2] = std::max(-rounded_down(-upper), interval[1]);
}

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
