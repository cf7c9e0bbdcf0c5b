// SPDX-License-Identifier: MIT
#include "runtime/services/chosen_device.hpp"

#include <atomic>

#include "registry/doors.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

std::atomic<Device*> chosen = nullptr;

template <class Function>
Function* of_door(const char* name) {
  return reinterpret_cast<Function*>(door_function("gpu", name, "build or install it again"));
}

/// Throws Error if there is no GPU that can be used.
Device& open_gpu() {
  const char* problem = nullptr;
  Device* const device = of_door<Device*(const char**)>("semblance_gpu_device")(&problem);
  if (!device) throw Error(problem ? problem : "the GPU cannot be used");
  return *device;
}

}  // namespace

void choose_device(Device* device) noexcept { chosen = device; }

Device* chosen_device() noexcept { return chosen; }

bool is_device_name(std::string_view name) noexcept {
  return name == "cpu" || name == "gpu" || name == "auto";
}

void choose_device(std::string_view name) {
  choose_device(nullptr);
  if (name == "cpu") return;
  try {
    choose_device(&open_gpu());
  } catch (const Error&) {
    if (name == "gpu") throw;
  }
}

std::string gpu_text() {
  try {
    const Device& device = open_gpu();
    return of_door<const char*(const Device*)>("semblance_gpu_description")(&device);
  } catch (const std::exception& problem) {
    return std::string("no: ") + problem.what();
  }
}

}  // namespace semblance
