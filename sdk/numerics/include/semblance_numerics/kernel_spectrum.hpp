// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance_numerics/spectrum_repair.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::numerics {

/// Eigenvalues of at most this magnitude count as zero: the effect on them of rounding the values
/// of K to a relative 1e-6, which is 1e-6 times the Frobenius norm.
double spectrum_tolerance(MatrixView matrix);

/// Whether K + tolerance I has a Cholesky factor, in double: exactly if no eigenvalue is below
/// -tolerance, up to rounding in double. Throws Cancelled on a stop request.
bool positive_semidefinite(MatrixView matrix, double tolerance, Context& context);

/// The eigenvalues and eigenvectors of K.
struct Spectrum : SymmetricEigen<double> {
  std::size_t negative(double tolerance) const;
};
Spectrum spectrum(MatrixView matrix);

/// Replaces K by its repaired version; `negative_weight` is krein's.
void repair(SpectrumRepair how, const Spectrum& spectrum, MutableMatrixView matrix,
            double negative_weight = 1);

/// The repaired similarities of a sample are P times its similarities to all training rows (Chen et
/// al. 2009, section 4.1.5: with P = U diag(repaired lambda / lambda) U', so that training samples
/// get the repaired matrix; shift does not change samples, P = 1). So sum_i b_i (P s)_i has the
/// coefficients P' b. Replaces b by them.
void repair_coefficients(SpectrumRepair how, const Spectrum& spectrum,
                         std::vector<double>& coefficients, double negative_weight = 1);

}  // namespace semblance::numerics
