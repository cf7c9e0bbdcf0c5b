// SPDX-License-Identifier: MIT
// Built with another compiler.
#include "semblance/plugin.hpp"

SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() {
  static const semblance::PluginDescriptor descriptor = {semblance::sdk_api,
                                                         "some other compiler",
                                                         "foreign",
                                                         "1.0.0",
                                                         "MIT",
                                                         [](semblance::ComponentTable&) {}};
  return &descriptor;
}
