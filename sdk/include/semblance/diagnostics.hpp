// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/plugin.hpp"

/// A plugin may tell what it found on this machine, for `semblance doctor`: FUNCTION returns lines
/// "name: value" that stay valid, and throws nothing. At most once in a plugin, at file scope.
#define SEMBLANCE_DIAGNOSTICS(FUNCTION) \
  SEMBLANCE_EXPORT const char* semblance_diagnostics() { return FUNCTION(); }
