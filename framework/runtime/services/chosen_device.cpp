// SPDX-License-Identifier: MIT
#include "runtime/services/chosen_device.hpp"

#include <atomic>

namespace semblance {
namespace {

std::atomic<Device*> chosen = nullptr;

}  // namespace

void choose_device(Device* device) noexcept { chosen = device; }

Device* chosen_device() noexcept { return chosen; }

}  // namespace semblance
