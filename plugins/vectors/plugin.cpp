// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include <string>

#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"
#include "tiles/tile_unit.hpp"

namespace semblance::vectors {
ComponentEntry declare_chi_square(), declare_cosine(), declare_deformable(), declare_intersection(),
    declare_jittered(), declare_laplacian(), declare_linear(), declare_mirrored(),
    declare_polynomial(), declare_precomputed(), declare_rbf(), declare_rigid(), declare_sum(),
    declare_tanimoto();

const char* vector_diagnostics() {
  static const std::string text =
      std::string(numerics::machine_diagnostics()) +
      "AMX: " + (amx_available() ? "available, used for bf16" : "not available, bf16 is emulated") +
      "\n";
  return text.c_str();
}
}  // namespace semblance::vectors
using namespace semblance::vectors;

SEMBLANCE_PLUGIN("semblance_vectors", SEMBLANCE_VERSION, "MIT", declare_chi_square, declare_cosine,
                 declare_deformable, declare_intersection, declare_jittered, declare_laplacian,
                 declare_linear, declare_mirrored, declare_polynomial, declare_precomputed,
                 declare_rbf, declare_rigid, declare_sum, declare_tanimoto)

SEMBLANCE_DIAGNOSTICS(vector_diagnostics)
