// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>

#include "semblance/device.hpp"

namespace semblance::gpu {

/// This machine's GPU; null, with a message, if there is none. $SEMBLANCE_GPU_DOOR replaces the
/// door of the build folder.
inline Device* real_device() {
  const char* file = std::getenv("SEMBLANCE_GPU_DOOR");
  if (!file) file = SEMBLANCE_GPU_DOOR;
  const char* problem = "the door cannot be opened";
  void* const door = ::dlopen(file, RTLD_NOW);
  using Open = Device*(const char**);
  auto* const open =
      door ? reinterpret_cast<Open*>(::dlsym(door, "semblance_gpu_device")) : nullptr;
  Device* const device = open ? open(&problem) : nullptr;
  if (!device) MESSAGE("skipped, no GPU: " << problem);
  return device;
}

}  // namespace semblance::gpu
