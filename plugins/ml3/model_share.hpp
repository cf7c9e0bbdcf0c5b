// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "model_matrix.hpp"
#include "semblance/collectives.hpp"

namespace semblance::ml3 {

/// The rows of W that a rank multiplies and updates: consecutive rows, divided as evenly as whole
/// panels of numerics::PackedRows allow. If W is so small that an exchange takes longer than a
/// product, each rank has all rows. The results for a row of W do not depend on the rank.
class ModelShare {
 public:
  /// For `rows` models of `cols` values.
  ModelShare(std::size_t rows, std::size_t cols, Collectives& ranks);

  std::size_t first() const noexcept { return firsts_[me_]; }
  std::size_t rows() const noexcept { return rows_of(me_); }
  /// Whether ranks have different rows.
  bool shared() const noexcept { return shared_; }

  /// Gathers the columns of `z`, one per model, of which this rank has its own. Collective if
  /// models are shared.
  void gather_columns(MutableMatrixView z);
  /// The same for the rows of `w`.
  void gather_rows(ModelMatrix& w);

 private:
  std::size_t rows_of(std::size_t rank) const noexcept {
    return shared_ ? firsts_[rank + 1] - firsts_[rank] : firsts_.back();
  }

  Collectives& ranks_;
  bool shared_;
  std::size_t me_;
  std::vector<std::size_t> firsts_;  // of each rank, and the number of rows
  std::vector<float> own_;
};

}  // namespace semblance::ml3
