// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "runtime/session.hpp"

namespace semblance {

/// A node's training rows, computed when they are looked at, from what its inputs keep. For nodes
/// that are cheaper to compute again than to keep; each view lives until it is released.
class PulledRows final : public Rows {
 public:
  PulledRows(Session& session, std::size_t node) : session_(session), node_(node) {}
  std::size_t rows() const noexcept override { return session_.node(node_).outline->train_rows; }
  std::size_t cols() const noexcept override { return session_.node(node_).output.size(); }
  MatrixView view(std::size_t first, std::size_t count) const override;
  void release(std::size_t first, std::size_t count) const override;

 private:
  Session& session_;
  std::size_t node_;
  mutable std::mutex mutex_;
  mutable std::multimap<std::pair<std::size_t, std::size_t>, FloatMatrix> views_;
};

/// Computes rows [first, first + out.rows) of a node, down to kept rows or the data set.
void pull(Session& session, std::size_t node, std::size_t first, MutableMatrixView out);

/// The training rows of a node: kept ones where there are, else pulled.
std::shared_ptr<const Rows> training_rows(Session& session, std::size_t node);

}  // namespace semblance
