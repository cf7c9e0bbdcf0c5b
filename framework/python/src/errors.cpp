// SPDX-License-Identifier: MIT
#include "errors.hpp"

#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// The classes live as long as the process: a module is never unloaded.
struct Classes {
  PyObject* error = nullptr;
  PyObject* pipeline = nullptr;
  PyObject* data = nullptr;
  PyObject* stopped = nullptr;
  PyObject* warning = nullptr;
};
Classes classes;

PyObject* new_class(py::module_& module, const char* name, const char* documentation,
                    const py::tuple& bases) {
  const std::string full = std::string("semblance.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), documentation, bases.ptr(), nullptr);
  if (!made) throw py::error_already_set();
  module.add_object(name, py::reinterpret_borrow<py::object>(made));
  return made;
}

void raise_bad_pipeline(const BadPipeline& problem) {
  const py::object type = py::reinterpret_borrow<py::object>(classes.pipeline);
  const py::object made = type(py::str(problem.what()));
  made.attr("diagnostics") = diagnostics_list(problem.diagnostics);
  PyErr_SetObject(classes.pipeline, made.ptr());
}

// By value: so pybind11 calls it.
void translate(std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param)
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const BadPipeline& problem) {
    raise_bad_pipeline(problem);
  } catch (const StoppedEarly& problem) {
    PyErr_SetString(classes.stopped, problem.what());
  } catch (const Cancelled& problem) {
    PyErr_SetString(classes.stopped, problem.what());
  } catch (const DataError& problem) {
    PyErr_SetString(classes.data, problem.what());
  } catch (const Error& problem) {
    PyErr_SetString(classes.error, problem.what());
  }
}

}  // namespace

void add_errors(py::module_& module) {
  const py::object value_error = py::reinterpret_borrow<py::object>(PyExc_ValueError);
  classes.error =
      new_class(module, "SemblanceError", "An error that the runtime or a component reports.",
                py::make_tuple(py::reinterpret_borrow<py::object>(PyExc_Exception)));
  const py::object error = py::reinterpret_borrow<py::object>(classes.error);
  classes.pipeline = new_class(
      module, "PipelineError",
      "A pipeline, a study or a parameter that cannot be used.\n\n"
      "Attributes\n----------\ndiagnostics : list of dict\n"
      "    Everything that is wrong, each with its place: file, line, column, length, message,\n"
      "    help, severity. The text of the exception shows them with the lines they are about.\n",
      py::make_tuple(error, value_error));
  classes.data = new_class(module, "DataError", "An input file or array that cannot be used.",
                           py::make_tuple(error, value_error));
  classes.stopped = new_class(module, "Stopped",
                              "A deadline or an interrupt came before there was anything to keep.",
                              py::make_tuple(error));
  classes.warning =
      new_class(module, "SemblanceWarning", "A warning of a run.",
                py::make_tuple(py::reinterpret_borrow<py::object>(PyExc_UserWarning)));
  py::register_exception_translator(&translate);
}

py::list diagnostics_list(const std::vector<Diagnostic>& diagnostics) {
  py::list all;
  for (const Diagnostic& d : diagnostics) {
    py::dict one;
    one["file"] = d.file;
    one["line"] = d.position.line;
    one["column"] = d.position.column;
    one["length"] = d.length;
    one["message"] = d.message;
    one["help"] = d.help;
    one["severity"] = d.severity == Severity::error ? "error" : "warning";
    all.append(one);
  }
  return all;
}

void warn(const std::string& text) {
  if (PyErr_WarnEx(classes.warning, text.c_str(), 2) < 0) throw py::error_already_set();
}

}  // namespace semblance::python
