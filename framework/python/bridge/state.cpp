// SPDX-License-Identifier: MIT
// The learned state of a component, as semblance._bridge.saved_state lays it out: a text, and
// arrays that it names.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python_component.hpp"
#include "semblance/error.hpp"

namespace semblance::python {

namespace py = pybind11;

namespace {

template <class T>
using Dense = py::array_t<T, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> values(const Dense<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

template <class T>
py::array copied(const std::vector<T>& values) {
  return Dense<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

void write(StateWriter& state, const std::string& name, const std::string& type,
           const py::object& array) {
  if (type == "doubles") {
    state.doubles(name, values(array.cast<Dense<double>>()));
  } else if (type == "integers") {
    state.integers(name, values(array.cast<Dense<std::int64_t>>()));
  } else {
    const auto table = array.cast<Dense<float>>();
    const auto rows = static_cast<std::size_t>(table.shape(0));
    const auto cols = static_cast<std::size_t>(table.shape(1));
    state.floats(name, {table.data(), rows, cols, cols});
  }
}

py::array read(const StateReader& state, const std::string& name, const std::string& type) {
  if (type == "doubles") return copied(state.doubles(name));
  if (type == "integers") return copied(state.integers(name));
  if (type == "floats") return copied(state.floats(name).values);
  throw Error("its saved state has an entry of the type '" + type + "', which does not exist");
}

}  // namespace

void PythonComponent::save_state(StateWriter& state) const {
  in_python([&] {
    const auto [text, arrays] =
        adapter().attr("saved")().cast<std::pair<std::string, std::vector<py::tuple>>>();
    state.text("state", text);
    for (const py::tuple& entry : arrays)
      write(state, entry[0].cast<std::string>(), entry[1].cast<std::string>(), entry[2]);
  });
}

void PythonComponent::load_state(const StateReader& state) const {
  const std::string text = state.text("state");
  in_python([&] {
    py::dict arrays;
    using Names = std::vector<std::pair<std::string, std::string>>;
    for (const auto& [name, type] : adapter().attr("arrays_of")(text).cast<Names>())
      arrays[py::str(name)] = read(state, name, type);
    adapter().attr("load")(text, arrays);
  });
}

}  // namespace semblance::python
