// SPDX-License-Identifier: MIT
// The learned state of a component, as semblance._bridge.saved_state lays it out: a text, and the
// bytes of the arrays that it numbers.
#include <pybind11/numpy.h>

#include "python_component.hpp"

namespace semblance::python {

namespace py = pybind11;

using Integers = py::array_t<std::int64_t, py::array::c_style>;

void PythonComponent::save_state(StateWriter& state) const {
  in_python([&] {
    const auto [text, arrays] = adapter().attr("saved")().cast<std::pair<std::string, Integers>>();
    state.text("state", text);
    state.integers("arrays", {arrays.data(), static_cast<std::size_t>(arrays.size())});
  });
}

void PythonComponent::load_state(const StateReader& state) const {
  const std::string text = state.text("state");
  const std::vector<std::int64_t> arrays = state.integers("arrays");
  in_python([&] {
    adapter().attr("load")(text, Integers(static_cast<py::ssize_t>(arrays.size()), arrays.data()));
  });
}

}  // namespace semblance::python
