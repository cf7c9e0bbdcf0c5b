// SPDX-License-Identifier: MIT
// Built for the version of the SDK before this one: its table has another shape, say, and must not
// be asked for.
#include <cstdlib>

#include "semblance/plugin.hpp"

SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() {
  static const semblance::PluginDescriptor descriptor = {
      semblance::sdk_api - 1,
      SEMBLANCE_FINGERPRINT,
      "old",
      "0.9.0",
      "MIT",
      [](semblance::ComponentTable&) { std::abort(); }};
  return &descriptor;
}
