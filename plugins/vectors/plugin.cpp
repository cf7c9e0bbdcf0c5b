// SPDX-License-Identifier: MIT
#include <string>

#include "../common/component_list.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"
#include "tiles/tile_unit.hpp"

namespace semblance::vectors {
const char* vector_diagnostics() {
  static const std::string text =
      std::string(numerics::machine_diagnostics()) +
      "AMX: " + (amx_available() ? "available, used for bf16" : "not available, bf16 is emulated") +
      "\n";
  return text.c_str();
}
}  // namespace semblance::vectors

SEMBLANCE_COMPONENTS("semblance_vectors", vectors, chi_square, cosine, deformable, intersection,
                     jittered, laplacian, linear, mirrored, polynomial, precomputed, rbf, rigid,
                     sum, tanimoto)

SEMBLANCE_DIAGNOSTICS(semblance::vectors::vector_diagnostics)
