// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "scratch_file.hpp"
#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// A copy of this rank's dense rows minus a constant per column, subtracted in double and rounded
/// to float32 once: rows far from 0 lose no more digits than reading them has lost. It is in memory
/// or, where it takes more than a third of what is left, in a scratch file.
class CentredRows final : public Rows {
 public:
  /// Makes the copy. False, with an unusable one, if a stop was requested. Throws Error naming a
  /// column whose differences are no float32 numbers. Collective.
  bool fill(const Rows& rows, std::span<const double> constants, Context& context);

  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return cols_; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return {values_ + own(first) * cols_, count, cols_, cols_};
  }
  void release(std::size_t first, std::size_t count) const override;

  /// The bytes of memory that it holds.
  std::size_t bytes() const noexcept { return memory_.size() * sizeof(float); }

 private:
  void allocate(std::size_t values, Context& context);
  std::size_t own(std::size_t row) const noexcept { return row > first_ ? row - first_ : 0; }

  std::size_t rows_ = 0, cols_ = 0, first_ = 0;
  std::vector<float> memory_;
  std::unique_ptr<common::ScratchFile> file_;
  float* values_ = nullptr;
};

}  // namespace semblance::linear
