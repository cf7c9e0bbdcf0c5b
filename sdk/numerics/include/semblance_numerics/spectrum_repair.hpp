// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace semblance::numerics {

/// How to make an indefinite similarity matrix K = V^T diag(values) V positive semi-definite
/// (BE-SVM, section 2.2; Chen et al. 2009, section 4).
enum class SpectrumRepair {
  refuse,  ///< no repair: the matrix must be positive semi-definite
  clip,    ///< negative eigenvalues become 0: the nearest positive semi-definite matrix
  flip,    ///< absolute values
  shift,   ///< all grow by the magnitude of the least, if it is negative
  square,  ///< squares: those of K^T K
  krein    ///< absolute values; those of negative ones divided by a weight
};

/// The repair with this parameter name ("clip"); refuse for unknown names.
SpectrumRepair spectrum_repair(std::string_view name) noexcept;

/// The repaired eigenvalue; `least` is the least of all eigenvalues, `negative_weight` is krein's.
double repaired(SpectrumRepair how, double value, double least,
                double negative_weight = 1) noexcept;

}  // namespace semblance::numerics
