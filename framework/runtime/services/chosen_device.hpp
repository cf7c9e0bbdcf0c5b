// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "semblance/device.hpp"

namespace semblance {

/// Lets the components of all runs of this process that can (uses_device()) compute on the device;
/// null, which is the default: on the CPU. Not while anything runs.
void choose_device(Device* device) noexcept;

/// Whether choose_device() knows the name: "cpu", "gpu", or "auto", a GPU if there is one.
bool is_device_name(std::string_view name) noexcept;

/// The same by name. Throws Error if it is to be a GPU and none can be used.
void choose_device(std::string_view name);

Device* chosen_device() noexcept;

/// A line about the GPU: which one, or why none can be used.
std::string gpu_text();

}  // namespace semblance
