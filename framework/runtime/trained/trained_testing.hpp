// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "runtime/trained/borrowed_rows.hpp"
#include "runtime/trained/trained.hpp"
#include "semblance/handed_over.hpp"
#include "semblance/random.hpp"

namespace semblance::testing {

/// The shipped components.
std::shared_ptr<const Catalogue> shipped();

/// Options that write and store nothing.
RunOptions in_memory(std::size_t threads = 2);

/// A checked pipeline; it may end in any node.
SelectingPipeline checked(const std::string& text);

/// Checks and trains it.
std::unique_ptr<Trained> trained_on(const std::string& text,
                                    const RunOptions& options = in_memory());

/// All samples of a source, with its description of them, for a program to hand over;
/// `training_only` excludes its test samples. No row is aligned to more than a float.
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
  /// All of them for training; with `test`, the last `test` ones for testing.
  std::shared_ptr<const Dataset> data(std::size_t test = 0) const;
  double accuracy(const FloatMatrix& scores) const;

 private:
  std::size_t rows_;
  std::shared_ptr<std::vector<float>> values_;
  std::vector<std::int32_t> labels_;
};

}  // namespace semblance::testing
