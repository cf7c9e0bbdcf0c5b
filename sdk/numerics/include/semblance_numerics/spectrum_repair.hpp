// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace semblance::numerics {

/// What makes an indefinite similarity matrix K = V^T diag(values) V positive semi-definite
/// (BE-SVM, section 2.2; Chen et al. 2009, section 4).
enum class SpectrumRepair {
  refuse,  ///< nothing: it is to be positive semi-definite as it is
  clip,    ///< negative eigenvalues become 0: the nearest positive semi-definite matrix
  flip,    ///< absolute values
  shift,   ///< all grow by as much as the least one is below 0
  square,  ///< squares: those of K^T K
  krein    ///< absolute values, of the negative ones divided by a weight
};

/// By its name as a parameter, "clip"; refuse for any other.
SpectrumRepair spectrum_repair(std::string_view name) noexcept;

/// What an eigenvalue becomes, the least of all being `least`; `negative_weight` is krein's.
double repaired(SpectrumRepair how, double value, double least,
                double negative_weight = 1) noexcept;

}  // namespace semblance::numerics
