// SPDX-License-Identifier: MIT
// Linked without a library that it needs.
#include "semblance/plugin.hpp"

void function_that_nobody_defines();

SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() {
  function_that_nobody_defines();
  return nullptr;
}
