// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "runtime/trained/trained.hpp"
#include "semblance/handed_over.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance::testing {

/// What a program has in memory and hands over to `source/array` (HandedOver).
struct BorrowedData {
  Layout layout;
  MatrixView train;                             ///< the rows to learn from
  MatrixView test = {};                         ///< and to test on, if there are any
  std::vector<std::int32_t> labels = {};        ///< one a row, training rows first; empty: none
  std::vector<std::string> classes = {};        ///< their names
  std::vector<std::string> columns = {};        ///< names of a row's values; none: they have none
  std::shared_ptr<const void> owner = nullptr;  ///< keeps the values alive
};

/// These rows as a data set, without a copy.
class BorrowedRows final : public Dataset {
 public:
  explicit BorrowedRows(BorrowedData data);

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return data_.labels; }
  std::size_t values(std::size_t row) const override;
  void read(std::size_t first, MutableMatrixView out) const override;
  std::size_t bytes() const noexcept override { return data_.train.values() * sizeof(float); }
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override;

 private:
  BorrowedData data_;
  Outline outline_;
};

/// The shipped components.
std::shared_ptr<const Catalogue> shipped();

/// Nothing is written, nothing is stored.
RunOptions in_memory(std::size_t threads = 2);

/// Checks a pipeline; it may end in any node.
SelectingPipeline checked(const std::string& text);

/// Checks and trains it.
std::unique_ptr<Trained> trained_on(const std::string& text,
                                    const RunOptions& options = in_memory());

/// All rows of a source, with what it says of them, for a program to hand over: `training_only`
/// leaves its test rows out. They lie where no row is aligned to more than a float.
struct CopiedRows {
  BorrowedData data;
  FloatMatrix test;
};
CopiedRows copied(const PipelineNode& source, bool training_only);

/// Points around two places in four dimensions.
class TwoClouds {
 public:
  explicit TwoClouds(std::size_t rows, std::uint64_t seed = 1);
  MatrixView view() const { return {values_->data(), rows_, 4, 4}; }
  const std::vector<std::int32_t>& labels() const { return labels_; }
  /// All of them to learn from; with `test`, the last ones to test on.
  std::shared_ptr<const Dataset> data(std::size_t test = 0) const;
  double accuracy(const FloatMatrix& scores) const;

 private:
  std::size_t rows_;
  std::shared_ptr<std::vector<float>> values_;
  std::vector<std::int32_t> labels_;
};

}  // namespace semblance::testing
