// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "semblance/plugin.hpp"

SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() {
  static const semblance::PluginDescriptor descriptor = {
      semblance::sdk_api,
      SEMBLANCE_FINGERPRINT,
      "broken",
      "1.0.0",
      "MIT",
      [](semblance::ComponentTable&) { throw std::runtime_error("no table today"); }};
  return &descriptor;
}
