// SPDX-License-Identifier: MIT
#include "semblance_numerics/spectrum_repair.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::numerics {

SpectrumRepair spectrum_repair(std::string_view name) noexcept {
  if (name == "clip") return SpectrumRepair::clip;
  if (name == "flip") return SpectrumRepair::flip;
  if (name == "shift") return SpectrumRepair::shift;
  if (name == "square") return SpectrumRepair::square;
  if (name == "krein") return SpectrumRepair::krein;
  return SpectrumRepair::refuse;
}

double repaired(SpectrumRepair how, double value, double least, double negative_weight) noexcept {
  switch (how) {
    case SpectrumRepair::clip:
      return std::max(value, 0.0);
    case SpectrumRepair::flip:
      return std::abs(value);
    case SpectrumRepair::shift:
      return value - std::min(least, 0.0);
    case SpectrumRepair::square:
      return value * value;
    case SpectrumRepair::krein:
      return value < 0 ? -value / negative_weight : value;
    case SpectrumRepair::refuse:
      break;
  }
  return value;
}

}  // namespace semblance::numerics
