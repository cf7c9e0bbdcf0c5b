// SPDX-License-Identifier: MIT
#pragma once

namespace semblance {

/// The one registration of the tests' kind.
void add_contrast();

}  // namespace semblance
