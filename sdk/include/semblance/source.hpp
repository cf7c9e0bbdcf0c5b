// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "semblance/component.hpp"

namespace semblance {

/// What a data set looks like, without its values. Training rows come first: rows
/// [0, train_rows) are for learning, [train_rows, train_rows + test_rows) for testing.
struct Outline {
  Layout layout;
  std::size_t train_rows = 0;
  std::size_t test_rows = 0;
  std::vector<std::string> classes;  ///< names; empty when the data carry no labels

  std::size_t rows() const noexcept { return train_rows + test_rows; }
};

/// An opened data set. Keeps values in their compact form (bytes stay bytes).
class Dataset {
 public:
  virtual ~Dataset();
  virtual const Outline& outline() const noexcept = 0;

  /// One a row, an index into the outline's classes; -1 where a test row has none.
  virtual std::span<const std::int32_t> labels() const noexcept = 0;

  /// Fills `out` (n x layout size) with rows [first, first + n). Thread-safe.
  virtual void read(std::size_t first, MutableMatrixView out) const = 0;

  /// What the data set holds in memory.
  virtual std::size_t bytes() const noexcept = 0;
};

/// Kind `source`: where samples come from.
class Source : public Component {
 public:
  ~Source() override;

  /// Sizes only, as cheaply as possible (headers); used by `plan` and for checking. May fall back
  /// on opening the data.
  virtual Outline outline(Context& context) const = 0;

  /// Reads and checks the data. Throws DataError saying file, place, problem and remedy.
  virtual std::unique_ptr<Dataset> open(Context& context) const = 0;
};

}  // namespace semblance
