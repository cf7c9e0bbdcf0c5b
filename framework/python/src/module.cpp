// SPDX-License-Identifier: MIT
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "catalogue.hpp"
#include "declared.hpp"
#include "errors.hpp"
#include "held_data.hpp"
#include "interruptible.hpp"
#include "rows.hpp"
#include "runtime/services/chosen_device.hpp"
#include "semblance/label_names.hpp"

namespace {

std::string use_device(const std::string& device) {
  using namespace semblance;
  if (!is_device_name(device))
    throw pybind11::value_error("device must be 'cpu', 'gpu' or 'auto', got '" + device + "'");
  choose_device(device);
  return chosen_device() ? chosen_device()->name() : "cpu";
}

std::vector<std::string> canonical_labels(std::vector<std::string> labels) {
  for (std::string& label : labels) label = semblance::canonical_label(label);
  return labels;
}

std::vector<std::string> in_natural_order(const std::vector<std::string>& names) {
  std::vector<std::string> sorted;
  for (const std::size_t place : semblance::natural_order(names)) sorted.push_back(names[place]);
  return sorted;
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  using namespace semblance;
  module.doc() = "The runtime, as the package `semblance` uses it; not meant to be used directly.";
  module.attr("version") = SEMBLANCE_VERSION;
  python::read_plugins_here();
  python::add_errors(module);
  module.def("catalogue", &python::catalogue_json,
             "The declarations of all components, as a JSON array.");
  module.def("plugin_paths", &python::add_plugins, pybind11::arg("paths"),
             "Adds plugins, or folders of them, for this process.");
  module.def(
      "use_device", &use_device, pybind11::arg("device"),
      "Where components compute that can use a GPU, from now on and in this process: 'cpu',\n"
      "which is the default, 'gpu', or 'auto', a GPU if there is one. Returns the GPU's name,\n"
      "or 'cpu'. Not while anything else computes.\n\n"
      "Raises\n------\nSemblanceError\n    It is to be a GPU, and none can be used.");
  module.def("canonical_labels", &canonical_labels, pybind11::arg("labels"),
             "Labels as files are read: \"6.0\" is \"6\".");
  module.def("in_natural_order", &in_natural_order, pybind11::arg("names"),
             "Names by value if all are whole numbers, else alphabetical.");
  python::add_rows(module);
  python::add_data(module);
  python::add_measure(module);
  python::add_nearest(module);
  python::add_precision(module);
  python::add_runs(module);
  python::add_trained(module);
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&python::end_calls));
}
