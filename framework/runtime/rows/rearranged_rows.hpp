// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "semblance/source.hpp"

namespace semblance {

/// Some samples of a data set, in another order, with another boundary between training and test
/// samples. They retain their numbers and names.
class RearrangedRows : public Dataset {
 public:
  /// `rows` are positions in `all`, training samples first; `outline` says how many those are.
  RearrangedRows(std::shared_ptr<const Dataset> all, Outline outline,
                 std::vector<std::int64_t> rows);
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  std::span<const double> targets() const noexcept override { return targets_; }
  std::span<const double> weights() const noexcept override { return weights_; }
  std::span<const std::int32_t> groups() const noexcept override { return groups_; }
  std::size_t values(std::size_t row) const override { return all_->values(position(row)); }
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override { return all_->bytes(); }
  std::int64_t number(std::size_t row) const override { return all_->number(position(row)); }
  std::string name(std::size_t row) const override { return all_->name(position(row)); }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

  /// The data set that these are samples of, and the position of a sample in it.
  const Dataset& all() const noexcept { return *all_; }
  std::size_t position(std::size_t row) const { return static_cast<std::size_t>(rows_[row]); }

 private:
  std::shared_ptr<const Dataset> all_;
  Outline outline_;
  std::vector<std::int64_t> rows_;
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_;
  std::vector<double> weights_;
  std::vector<std::int32_t> groups_;
};

/// The number of every sample; empty where each is its position.
std::vector<std::int64_t> row_numbers(const Dataset& data);

/// The upper bound of the numbers of an outline's training samples, see Outline::numbered_rows.
inline std::size_t numbered_rows(const Outline& outline) noexcept {
  return outline.numbered_rows > 0 ? outline.numbered_rows : outline.train_rows;
}

/// The same data where these training samples, by position in ascending order, are test samples,
/// before the existing test samples.
Outline with_set_aside(Outline all, std::size_t rows);
std::vector<std::int64_t> rows_with_set_aside(const Outline& all,
                                              std::span<const std::int64_t> set_aside);

}  // namespace semblance
