// SPDX-License-Identifier: MIT
// The program's way to components written in Python: starts the interpreter, once one is named.
#include <Python.h>
#include <dlfcn.h>
#include <pybind11/stl.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "entries.hpp"
#include "interpreter.hpp"
#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace fs = std::filesystem;
namespace py = pybind11;

/// The folder of the package `semblance` if it is beside this library: in a build folder, or
/// below the prefix that the program was installed to. Empty: Python finds it by itself.
fs::path package_folder() {
  Dl_info own = {};
  if (::dladdr(reinterpret_cast<const void*>(&package_folder), &own) == 0 || !own.dli_fname)
    return {};
  const fs::path lib = fs::path(own.dli_fname).parent_path() / "../..";  // of lib/semblance/doors
  std::error_code failure;
  for (const char* folder : {"../python", "python3/dist-packages", SEMBLANCE_PYTHON_FOLDER})
    if (fs::is_regular_file(lib / folder / "semblance/_plugins.py", failure))
      return fs::canonical(lib / folder, failure);
  return {};
}

/// The Python of the virtual environment that is active, so that its packages are found.
std::string executable() {
  if (const char* environment = std::getenv("VIRTUAL_ENV")) {
    const fs::path python = fs::path(environment) / "bin/python3";
    std::error_code failure;
    if (fs::exists(python, failure)) return python;
  }
  return SEMBLANCE_PYTHON_EXECUTABLE;
}

void check(const PyStatus& status) {
  if (PyStatus_Exception(status))
    throw Error(std::string("Python cannot be started: ") +
                (status.err_msg ? status.err_msg : "no reason was given"));
}

/// Signals stay the program's. Texts hash the same in every run, so that the order of a set does;
/// what is printed appears at once, for the interpreter is never ended.
void start() {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.parse_argv = 0;
  config.buffered_stdio = 0;
  config.use_hash_seed = 1;
  config.hash_seed = 0;
  try {
    check(PyConfig_SetBytesString(&config, &config.program_name, executable().c_str()));
    check(Py_InitializeFromConfig(&config));
  } catch (...) {
    PyConfig_Clear(&config);
    throw;
  }
  PyConfig_Clear(&config);
}

/// Printed text goes where messages go: other programs may read this program's own output.
void prepare() {
  const py::module_ system = py::module_::import("sys");
  system.attr("stdout") = system.attr("stderr");
  const fs::path folder = package_folder();
  if (!folder.empty()) py::module_::import("sys").attr("path").attr("insert")(0, folder.string());
  try {
    part_of_package("_declare.decorators").attr("in_program") = true;
  } catch (py::error_already_set& failure) {
    throw Error(std::string("the Python package 'semblance' cannot be imported (") +
                std::string(py::str(failure.value())) + "); install it beside the program");
  }
}

/// Once a process; the lock is given back, for any thread to take it.
void need_interpreter() {
  static std::once_flag once;
  std::call_once(once, [] {
    const bool started = !Py_IsInitialized();
    if (started) start();
    {
      const py::gil_scoped_acquire lock;
      prepare();
    }
    if (started) PyEval_SaveThread();
  });
}

}  // namespace
}  // namespace semblance::python

extern "C" __attribute__((visibility("default"))) const semblance::PythonPlugin*
semblance_python_plugin(const char* file, const char** problem) {
  return semblance::python::read_plugin(file, problem, &semblance::python::need_interpreter);
}
