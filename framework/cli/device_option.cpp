// SPDX-License-Identifier: MIT
#include "cli/pipeline_options.hpp"
#include "runtime/services/chosen_device.hpp"

namespace semblance::cli {

void add_device_option(options::options_description& described) {
  described.add_options()(
      "device", takes("DEVICE")->default_value("cpu"),
      "where components compute that can use a GPU: cpu, gpu, or auto: a GPU if there is one");
}

void device_option(const options::variables_map& values) {
  if (!values.count("device")) return;
  const auto& device = values["device"].as<std::string>();
  if (!is_device_name(device))
    throw UsageError("--device must be cpu, gpu or auto, got '" + device + "'");
  if (values.count("on")) return;  // the workers compute, on machines of their own
  try {
    choose_device(device);
  } catch (const Error& problem) {
    throw Error("--device " + device + ": " + problem.what());
  }
}

}  // namespace semblance::cli
