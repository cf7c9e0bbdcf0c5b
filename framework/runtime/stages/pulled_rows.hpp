// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "runtime/session/run_data.hpp"
#include "runtime/stages/stage.hpp"

namespace semblance {

/// Computes a node's rows on request, on the calling thread, starting from retained rows or the
/// data set.
class Pull {
 public:
  Pull(RunProgress& progress, RunData& data, std::size_t node);

  /// Rows [first, first + out.rows). Thread-safe.
  void rows(std::size_t first, MutableMatrixView out) const;

 private:
  RunProgress& progress_;
  RunData& data_;
  Stage stage_;
};

/// A node's training rows, pulled on access. For nodes that are cheaper to recompute than to
/// retain; each view lives until it is released.
class PulledRows final : public Rows {
 public:
  PulledRows(RunProgress& progress, RunData& data, std::size_t node);
  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return sizes_.cols; }
  MatrixView view(std::size_t first, std::size_t count) const override;
  void release(std::size_t first, std::size_t count) const override;

 private:
  std::size_t rows_;
  RowSizes sizes_;
  Pull pull_;
  mutable std::mutex mutex_;
  /// A view with several users goes with the last of them.
  struct Shown {
    std::size_t users = 0;
    FloatMatrix rows;
  };
  mutable std::map<std::pair<std::size_t, std::size_t>, Shown> views_;
};

/// The rows of a node that are retained, or in place.
std::shared_ptr<const Rows> all_rows(RunProgress& progress, RunData& data, std::size_t node,
                                     RowSpan rows);

/// The training rows of a node: retained or in place where available, otherwise pulled.
std::shared_ptr<const Rows> training_rows(RunProgress& progress, RunData& data, std::size_t node);

}  // namespace semblance
