// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"

namespace semblance::vectors {
ComponentEntry declare_chi_square(), declare_cosine(), declare_deformable(), declare_intersection(),
    declare_jittered(), declare_laplacian(), declare_linear(), declare_mirrored(),
    declare_polynomial(), declare_precomputed(), declare_rbf(), declare_rigid(), declare_sum(),
    declare_tanimoto();
}
using namespace semblance::vectors;

SEMBLANCE_PLUGIN("semblance_vectors", SEMBLANCE_VERSION, "MIT", declare_chi_square, declare_cosine,
                 declare_deformable, declare_intersection, declare_jittered, declare_laplacian,
                 declare_linear, declare_mirrored, declare_polynomial, declare_precomputed,
                 declare_rbf, declare_rigid, declare_sum, declare_tanimoto)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
