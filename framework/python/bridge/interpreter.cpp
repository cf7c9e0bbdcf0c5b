// SPDX-License-Identifier: MIT
#include "interpreter.hpp"

#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

bool ending() {
#if PY_VERSION_HEX >= 0x030d0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

/// The part of the exception that helps a user.
std::string message_of(py::error_already_set& raised) {
  try {
    py::object value = raised.value();
    if (!value) return raised.what();
    if (raised.trace()) PyException_SetTraceback(value.ptr(), raised.trace().ptr());
    return part_of_package("_plugins").attr("told")(value).cast<std::string>();
  } catch (py::error_already_set& other) {  // its message cannot be made
    return std::string(py::str(raised.type().attr("__name__")));
  }
}

}  // namespace

Owned::Owned(py::object object)
    : object_(new py::object(std::move(object)), [](py::object* held) {
        if (ending()) {
          static_cast<void>(held->release());
        } else {
          const py::gil_scoped_acquire lock;
          *held = py::object();
        }
        delete held;
      }) {}

py::module_ part_of_package(const char* name) {
  return py::module_::import((std::string("semblance.") + name).c_str());
}

void in_python(const std::function<void()>& body) {
  const py::gil_scoped_acquire lock;
  try {
    body();
  } catch (py::error_already_set& raised) {
    if (raised.matches(part_of_package("_declare").attr("Stopped"))) throw Cancelled();
    throw Error(message_of(raised));
  } catch (const py::cast_error& mismatch) {
    throw Error(std::string("it gave a value of the wrong type: ") + mismatch.what());
  }
}

}  // namespace semblance::python
