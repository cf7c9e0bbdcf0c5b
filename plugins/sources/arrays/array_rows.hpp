// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "memory_dataset.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {

/// A data set in a program's memory, possibly with another boundary between training and test
/// samples. Values are never copied.
class ArrayRows final : public Dataset {
 public:
  /// `split` assigns the rows to training and testing.
  ArrayRows(std::shared_ptr<const Dataset> data, Split split);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return targets_; }
  std::span<const double> weights() const noexcept override { return weights_; }
  std::span<const std::int32_t> groups() const noexcept override { return groups_; }
  std::size_t values(std::size_t row) const override { return data_->values(place(row)); }
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override;
  std::int64_t number(std::size_t row) const override { return data_->number(place(row)); }
  std::string name(std::size_t row) const override { return data_->name(place(row)); }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

  /// Throws Error if a value is not finite or not a symbol of the alphabet, if a label is not a
  /// class, or if a target is missing or cannot be distinguished from others in float32.
  /// `keeps_missing`: values may be NaN.
  void check(bool keeps_missing, Context& context) const;

 private:
  std::size_t place(std::size_t row) const { return order_.empty() ? row : order_[row]; }
  bool follow_each_other(std::size_t first, std::size_t count) const noexcept;
  void check_labels() const;
  void check_targets(Context& context) const;

  std::shared_ptr<const Dataset> data_;
  Outline outline_;
  std::vector<std::size_t> order_;  ///< empty: rows as they stand
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_;
  std::vector<double> weights_;
  std::vector<std::int32_t> groups_;
};

/// A few rows of two classes that always exist, for trying the source.
std::shared_ptr<const Dataset> example_rows();

}  // namespace semblance::sources
