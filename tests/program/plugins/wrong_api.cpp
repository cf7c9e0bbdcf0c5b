// SPDX-License-Identifier: MIT
// Built for another version of the SDK.
#include "semblance/plugin.hpp"

SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() {
  static const semblance::PluginDescriptor descriptor = {
      99, SEMBLANCE_FINGERPRINT, "future", "9.9.9", "MIT", [](semblance::ComponentTable&) {}};
  return &descriptor;
}
