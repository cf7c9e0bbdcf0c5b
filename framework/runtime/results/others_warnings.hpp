// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/session.hpp"

namespace semblance {

/// The first rank tells what the others have warned of and it has not, with the rank that did.
/// Nothing without others. Collective.
void tell_others_warnings(Session& session);

}  // namespace semblance
