// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/device.hpp"

namespace semblance {

/// Lets the components of all runs of this process that can (uses_device()) compute on the device;
/// null, which is the default: on the CPU. Not while anything runs.
void choose_device(Device* device) noexcept;
Device* chosen_device() noexcept;

}  // namespace semblance
