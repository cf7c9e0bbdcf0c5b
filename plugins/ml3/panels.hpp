// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model_matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// With fewer multiply-adds, tasks cost more than they gain.
inline constexpr std::size_t work_to_share = std::size_t{1} << 21;

/// Some rows of W, one after the other, in the layout for products and in chunks for tasks.
class Panels {
 public:
  /// Rows of a chunk: with 785 values 200 kB, which fit into L2 together with the samples.
  static constexpr std::size_t chunk_rows = 64;

  /// Rows [first, first + count) of `w`; the last chunk may have up to half as many rows more.
  Panels(const ModelMatrix& w, std::size_t first, std::size_t count);

  std::size_t chunks() const noexcept { return chunks_.size(); }
  numerics::PackedRows& chunk(std::size_t i) noexcept { return chunks_[i]; }
  const numerics::PackedRows& chunk(std::size_t i) const noexcept { return chunks_[i]; }
  /// The first row, in W.
  std::size_t first_row(std::size_t chunk) const noexcept { return first_ + chunk * chunk_rows; }
  std::size_t end_row() const noexcept { return first_ + count_; }

  /// Calls body(value, value of `other`) for all values, other being of the same shape.
  template <class F>
  void for_each(Panels& other, const F& body) {
    for (std::size_t c = 0; c < chunks_.size(); ++c)
      for (std::size_t i = 0; i < chunks_[c].bytes() / sizeof(float); ++i)
        body(chunks_[c].panel(0)[i], other.chunks_[c].panel(0)[i]);
  }

  /// Into the same rows.
  void copy_to(ModelMatrix& w) const;

 private:
  std::size_t first_;
  std::size_t count_;
  std::vector<numerics::PackedRows> chunks_;
};

}  // namespace semblance::ml3
