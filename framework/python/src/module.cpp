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
  python::add_rows(module);
  python::add_data(module);
  python::add_measure(module);
  python::add_arrow(module);
  python::add_diagnostics(module);
  python::add_runs(module);
  python::add_trained(module);
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&python::end_calls));
}
