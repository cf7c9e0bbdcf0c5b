// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

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

  void copy_to(ModelMatrix& w) const;

 private:
  std::vector<numerics::PackedRows> chunks_;
};

}  // namespace semblance::ml3
