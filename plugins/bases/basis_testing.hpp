// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "semblance/basis.hpp"
#include "semblance/plugin_testing.hpp"

/// Helpers for tests of bases.
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

/// A basis as the runtime makes it.
inline std::unique_ptr<Basis> make_basis(const std::string& id,
                                         const std::map<std::string, std::int64_t>& values) {
  return make_component<Basis>(id, {values.begin(), values.end()});
}

}  // namespace semblance::testing
