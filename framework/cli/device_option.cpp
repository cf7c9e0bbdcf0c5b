// SPDX-License-Identifier: MIT
#include "cli/device_option.hpp"

#include "registry/doors.hpp"
#include "runtime/services/chosen_device.hpp"

namespace semblance::cli {
namespace {

constexpr const char* remedy = "build it with clang (apt-get install clang) or CUDA's nvcc";

Device& open_gpu() {
  using Open = Device*(const char**);
  const auto open = reinterpret_cast<Open*>(door_function("gpu", "semblance_gpu_device", remedy));
  const char* problem = nullptr;
  Device* const device = open(&problem);
  if (!device) throw Error(problem ? problem : "the GPU cannot be used");
  return *device;
}

}  // namespace

void add_device_option(options::options_description& described) {
  described.add_options()(
      "device", options::value<std::string>()->value_name("DEVICE")->default_value("cpu"),
      "where components compute that can use a GPU: cpu, gpu, or auto: a GPU if there is one");
}

void device_option(const options::variables_map& values) {
  if (!values.count("device")) return;
  const auto& device = values["device"].as<std::string>();
  if (device == "cpu") return choose_device(nullptr);
  if (device != "gpu" && device != "auto")
    throw UsageError("--device must be cpu, gpu or auto, got '" + device + "'");
  try {
    choose_device(&open_gpu());
  } catch (const Error& problem) {
    if (device == "gpu") throw Error(std::string("--device gpu: ") + problem.what());
    choose_device(nullptr);
  }
}

std::string gpu_text() {
  using Describe = const char*(const Device*);
  try {
    const Device& device = open_gpu();
    return reinterpret_cast<Describe*>(door_function("gpu", "semblance_gpu_description", remedy))(
        &device);
  } catch (const std::exception& problem) {
    return std::string("no: ") + problem.what();
  }
}

}  // namespace semblance::cli
