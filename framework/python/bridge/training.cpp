// SPDX-License-Identifier: MIT
#include "training.hpp"

#include <algorithm>

namespace semblance::python {

namespace py = pybind11;

py::tuple classes_of(std::span<const std::string> names) {
  py::tuple classes(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) classes[i] = py::str(names[i]);
  return classes;
}

Figures::Figures(const py::dict& found) {
  for (const auto& [key, value] : found) {
    auto name = key.cast<std::string>();
    if (py::isinstance<py::int_>(value))
      integers.emplace_back(std::move(name), value.cast<std::int64_t>());
    else if (py::isinstance<py::str>(value))
      texts.emplace_back(std::move(name), value.cast<std::string>());
    else
      numbers.emplace_back(std::move(name), value.cast<double>());
  }
}

void Figures::tell(Report& report) const {
  for (const auto& [name, value] : integers) report.integer(name, value);
  for (const auto& [name, value] : numbers) report.number(name, value);
  for (const auto& [name, value] : texts) report.text(name, value);
}

bool Figures::has_text(std::string_view name) const {
  return std::ranges::any_of(texts, [&](const auto& text) { return text.first == name; });
}

}  // namespace semblance::python
