// SPDX-License-Identifier: MIT
#include "molecules/fingerprint.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance/plugin.hpp"

namespace semblance::sources {
ComponentEntry declare_molecules();
}
using namespace semblance::sources;

SEMBLANCE_PLUGIN("semblance_molecules", SEMBLANCE_VERSION, "MIT", declare_molecules)

SEMBLANCE_DIAGNOSTICS(rdkit_version)
