// SPDX-License-Identifier: MIT
#include "../../common/component_list.hpp"
#include "molecules/fingerprint.hpp"
#include "semblance/diagnostics.hpp"

SEMBLANCE_COMPONENTS("semblance_molecules", sources, molecules)

SEMBLANCE_DIAGNOSTICS(semblance::sources::rdkit_version)
