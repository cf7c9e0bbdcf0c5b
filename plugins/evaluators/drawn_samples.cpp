// SPDX-License-Identifier: MIT
#include "drawn_samples.hpp"

#include <utility>

#include "semblance/samples.hpp"

namespace semblance::evaluators {
namespace {

std::string name_of(const Dataset& data, std::size_t row) {
  std::string name = data.name(row);
  return name.empty() ? "row " + std::to_string(data.number(row)) : name;
}

}  // namespace

SampleList::Sample drawn_sample(const Dataset& data, std::size_t row, const std::string& label) {
  const std::size_t size = data.values(row);
  FloatMatrix values = room_for(data.outline().layout, {&size, 1});
  data.read(row, values.view());
  return {name_of(data, row), label, std::move(values.values), std::move(values.columns)};
}

std::vector<std::string> column_names(const Outline& outline) {
  const LayoutKind kind = outline.layout.kind;
  const bool named = (kind == LayoutKind::vector || kind == LayoutKind::sparse) &&
                     outline.columns.size() == outline.layout.size();
  return named ? outline.columns : std::vector<std::string>();
}

}  // namespace semblance::evaluators
