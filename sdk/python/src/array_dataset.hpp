// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rows.hpp"
#include "semblance/source.hpp"

namespace semblance::python {

/// A data set over arrays of Python, in place: training rows of one, test rows of another.
class ArrayDataset final : public Dataset {
 public:
  /// `labels` has one a row, those of test rows behind those of training rows.
  ArrayDataset(ArrayRows train, std::optional<ArrayRows> test, std::vector<std::int32_t> labels,
               std::vector<std::string> classes, std::vector<std::string> columns);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::size_t values(std::size_t row) const override;
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override;
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

  /// Names everything that the data set says: values, labels, classes, columns, layout.
  std::string hash() const;

 private:
  /// Of row `row`, in the array that has it.
  std::span<const float> row_values(std::size_t row) const;

  ArrayRows train_;
  std::optional<ArrayRows> test_;
  std::vector<std::int32_t> labels_;
  Outline outline_;
};

/// Adds the class `Data`: what is handed over to source/array.
void add_data(pybind11::module_& module);

/// A `Data` of Python.
struct HeldData {
  std::shared_ptr<const ArrayDataset> dataset;
  std::string id;  ///< ArrayDataset::hash()
};

}  // namespace semblance::python
