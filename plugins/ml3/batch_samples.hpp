// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "problem.hpp"
#include "semblance_numerics/product.hpp"
#include "semblance_numerics/sparse_block.hpp"

namespace semblance::ml3 {

/// Products of this rank's models with samples of a problem.
class ModelProducts {
 public:
  ModelProducts() = default;
  /// For models in stored form.
  ModelProducts(const Problem& problem, MatrixView models) : problem_(&problem), models_(models) {}

  /// A row of `z` for each of the samples.
  void multiply(std::span<const std::uint32_t> samples, MutableMatrixView z) const;

 private:
  const Problem* problem_ = nullptr;
  numerics::PackedRows models_;
};

/// The samples of a batch in the form for products with models and for their updates: unchanged, or
/// listed without their background.
class BatchSamples {
 public:
  BatchSamples(const Problem& problem, std::size_t most);

  std::size_t count() const noexcept { return count_; }
  void clear();
  /// `number` is the row's own among all.
  void add(const float* row, std::size_t number);

  /// Call it after all samples have been added, with `multiply` if multiply() will be called,
  /// possibly by several tasks.
  void prepare(bool multiply);
  /// z = products with models in stored form.
  void multiply(const numerics::PackedRows& models, MutableMatrixView z) const;

  /// products[j] = the inner product of the samples at `position` and j, for all j >= position.
  /// add_to() needs its intermediate results. Listed samples need room(), one batch at a time.
  void multiply_with_batch(std::size_t position, float* products, numerics::PackedRows& room);
  /// Releases the room for another batch.
  void leave(numerics::PackedRows& room);
  static numerics::PackedRows room(const Problem& problem, std::size_t most);

  /// A panel of the models += factors[i] times the sample at positions[i], one after the other:
  /// `width` factors each.
  void add_to(float* panel, std::size_t cols, std::span<const std::size_t> positions,
              const float* factors) const;

  /// A sample with its constant, unless it is listed.
  const float* row(std::size_t position) const noexcept { return x_.row(position); }

 private:
  void scatter(float factor, numerics::PackedRows& room) const;
  numerics::SparseRow change(std::size_t position) const noexcept;

  const Problem& problem_;
  const bool listed_;
  std::size_t count_ = 0;

  ModelMatrix x_;
  std::optional<numerics::PackedBlock> left_;

  numerics::SparseBlock block_;
  std::vector<numerics::SparseRow> rows_;    // of the block
  std::vector<float> along_;                 // Background::along of each
  std::vector<std::vector<float>> changes_;  // the rows' values as updates need them

  std::optional<numerics::PackedRows> packed_;  // x_
  bool scattered_ = false;                      // in the room
};

}  // namespace semblance::ml3
