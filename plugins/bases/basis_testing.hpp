// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"
#include "semblance/testing.hpp"

/// What the tests of all bases need.
namespace semblance::testing {

/// Rows of one value, their labels and the classes a, b, c...
struct LabelledRows {
  MemoryRows rows;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;

  LabelledRows(std::vector<float> values, std::vector<std::int32_t> row_labels,
               std::size_t class_count)
      : rows([&] {
          FloatMatrix matrix(values.size(), 1);
          matrix.values = values;
          return matrix;
        }()),
        labels(std::move(row_labels)) {
    for (std::size_t c = 0; c < class_count; ++c) classes.push_back(std::string(1, char('a' + c)));
  }

  TrainingSet set() const { return {rows, Layout::vector(1), labels, classes}; }
};

/// 30 rows: class a has rows 0, 3, 6..., b 1, 4, 7..., c 2, 5, 8...
inline LabelledRows three_classes() {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 30; ++i) {
    values.push_back(float(i));
    labels.push_back(i % 3);
  }
  return {values, labels, 3};
}

/// A basis made as the runtime makes it; `part` is given to its component parameter.
template <class T>
std::unique_ptr<Basis> make(const std::map<std::string, std::int64_t>& values,
                            std::unique_ptr<Component> part = nullptr) {
  ComponentEntry entry = T::declare().entry();
  std::unique_ptr<Component> basis = entry.create();
  std::size_t assigned = 0;
  for (std::size_t p = 0; p < entry.setters.size(); ++p) {
    if (entry.setters[p].component && part) entry.setters[p].component(*basis, std::move(part));
    const auto found = values.find(entry.info.parameters[p].name);
    if (found == values.end()) continue;
    entry.setters[p].value(*basis, found->second);
    ++assigned;
  }
  REQUIRE(assigned == values.size());
  basis->check_parameters();
  return std::unique_ptr<Basis>(dynamic_cast<Basis*>(basis.release()));
}

}  // namespace semblance::testing
