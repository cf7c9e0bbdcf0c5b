// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/plugin.hpp"

/// Lets a plugin report what it found on this machine, for `semblance doctor`. FUNCTION returns
/// lines "name: value" that stay valid, and does not throw. At most once per plugin, at file scope.
#define SEMBLANCE_DIAGNOSTICS(FUNCTION) \
  SEMBLANCE_EXPORT const char* semblance_diagnostics() { return FUNCTION(); }
