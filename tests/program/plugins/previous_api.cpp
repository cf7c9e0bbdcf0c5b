// SPDX-License-Identifier: MIT
// Built for the previous version of the SDK: its table may have another shape and must not be
// requested.
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
