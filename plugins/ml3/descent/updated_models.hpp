// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "descent/mini_batch.hpp"
#include "model_matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// With fewer multiply-adds, tasks cost more than they gain.
inline constexpr std::size_t work_to_share = std::size_t{1} << 21;

/// The rows of W in the layout for products, in chunks for tasks.
class Panels {
 public:
  /// Rows of a chunk: with 785 values 200 kB, which fit into L2 together with the samples.
  static constexpr std::size_t chunk_rows = 64;

  /// The last chunk may have up to half as many rows more.
  explicit Panels(const ModelMatrix& w);

  std::size_t chunks() const noexcept { return chunks_.size(); }
  numerics::PackedRows& chunk(std::size_t i) noexcept { return chunks_[i]; }
  const numerics::PackedRows& chunk(std::size_t i) const noexcept { return chunks_[i]; }
  /// The first row, in W.
  std::size_t first_row(std::size_t chunk) const noexcept { return chunk * chunk_rows; }

  /// Calls body(value, value of `other`) for all values, other being of the same shape.
  template <class F>
  void for_each(Panels& other, const F& body) {
    for (std::size_t c = 0; c < chunks_.size(); ++c)
      for (std::size_t i = 0; i < chunks_[c].bytes() / sizeof(float); ++i)
        body(chunks_[c].panel(0)[i], other.chunks_[c].panel(0)[i]);
  }

  ModelMatrix unpack() const;

 private:
  std::vector<numerics::PackedRows> chunks_;
};

/// A change of one class's models by a sample of a batch: rows += factors * x.
struct Update {
  std::size_t position = 0;  ///< in the batch
  std::size_t label = 0;
  std::span<const float> factors;  ///< one per model
  double before = 0;               ///< sum of the scales before it, for the average
};

/// The updates of a batch.
struct Updates {
  explicit Updates(std::size_t classes) : by_class(classes) {}
  void add(const Update& update);
  void clear();
  bool empty() const noexcept { return count == 0; }

  std::size_t count = 0;
  std::vector<std::vector<Update>> by_class;  ///< in their order
  std::vector<std::size_t> classes;           ///< that have updates
};

/// V, where W = a V, and the sums for the average, in stored form, in panels shared by tasks.
class UpdatedModels {
 public:
  /// Takes the rows of `v`, with zero sums if `averages`.
  UpdatedModels(const Problem& problem, const ModelMatrix& v, bool averages,
                const Surroundings& surroundings);

  /// Whether tasks share products with this number of samples.
  bool shares(std::size_t samples) const noexcept;

  /// Applies the updates by these samples, then multiplies with `next`, which must be prepared,
  /// unless it is null. Works row by row of V, so that V is read from memory once per batch.
  void update_and_multiply(const Updates& updates, const MiniBatchRows& samples,
                           const MiniBatchRows* next, MutableMatrixView z);

  bool averages() const noexcept { return sums_.has_value(); }

  ModelMatrix v() const { return v_.unpack(); }
  ModelMatrix sums() const { return sums_->unpack(); }

  /// Multiplies V by factor; `scales` is the sum of the scales added to the sums since their start.
  void multiply_in(double factor, double scales);
  /// Turns the sums into the average of the iterates.
  void average(double scales, double steps);
  void forget_sums() { sums_.reset(); }

 private:
  void apply(std::size_t chunk, const Updates& updates, const MiniBatchRows& samples);
  void apply_to_sums(std::size_t chunk, std::size_t panel, const Updates& updates,
                     const MiniBatchRows& samples, std::span<const std::size_t> positions,
                     float* factors);

  const Problem& problem_;
  const Surroundings& surroundings_;
  Panels v_;
  std::optional<Panels> sums_;
};

}  // namespace semblance::ml3
