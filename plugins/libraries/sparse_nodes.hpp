// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/samples.hpp"

namespace semblance::libraries {

/// Appends index, counted from 1, and value of each nonzero value of row i of `rows`.
template <class Node>
void append_nodes(MatrixView rows, std::size_t i, std::vector<Node>& nodes) {
  const auto values = rows.row_span(i);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] == 0) continue;
    const std::size_t column = rows.sparse() ? rows.columns_of(i)[k] : k;
    nodes.push_back({static_cast<int>(column + 1), double{values[k]}});
  }
}

/// Rows in the format of LIBSVM and LIBLINEAR: index, counted from 1, and value of the nonzero
/// values, terminated by index -1. Node is their struct.
template <class Node>
class SparseNodes {
 public:
  /// Throws Error with the arithmetic if the nodes and `more` bytes exceed the memory budget. A
  /// bias > 0 is appended to every row.
  SparseNodes(const Rows& rows, double bias, std::size_t more, const std::string& library,
              Context& context) {
    refuse_beyond_int(rows.cols(), library);
    std::size_t values = 0;
    for_rows(rows, [&](MatrixView view, std::size_t i) {
      for (const float v : view.row_span(i)) values += v != 0;
    });
    const std::size_t nodes = values + rows.rows() * (bias > 0 ? 2 : 1);
    refuse_beyond_budget(nodes, rows.rows(), more, library, context.memory_budget());
    nodes_.reserve(nodes);
    rows_.reserve(rows.rows());
    for_rows(rows, [&](MatrixView view, std::size_t i) {
      rows_.push_back(nodes_.data() + nodes_.size());
      append_nodes(view, i, nodes_);
      if (bias > 0) nodes_.push_back({static_cast<int>(view.cols + 1), bias});
      nodes_.push_back({-1, 0});
    });
  }

  Node** rows() noexcept { return rows_.data(); }
  std::size_t bytes() const noexcept { return nodes_.size() * sizeof(Node); }

 private:
  template <class F>
  static void for_rows(const Rows& rows, const F& f) {
    for (std::size_t first = 0; first < rows.rows(); first += block_rows) {
      const std::size_t count = std::min(block_rows, rows.rows() - first);
      const MatrixView view = rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) f(view, r);
      rows.release(first, count);
    }
  }

  // The libraries count columns in int: the last index, the bias and the count itself must fit.
  static void refuse_beyond_int(std::size_t columns, const std::string& library) {
    constexpr std::size_t most = std::numeric_limits<int>::max() - 2;
    if (columns <= most) return;
    throw Error(library + " takes up to " + std::to_string(most) + " columns, and there are " +
                std::to_string(columns) + "; use solver/linear_svm, or fewer columns");
  }

  static void refuse_beyond_budget(std::size_t nodes, std::size_t rows, std::size_t more,
                                   const std::string& library, std::size_t budget) {
    const std::size_t needed = nodes * sizeof(Node) + rows * sizeof(Node*) + more;
    if (needed <= budget) return;
    const auto mib = [](std::size_t bytes) {
      return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
    };
    throw MemoryError(
        library + " needs " + std::to_string(nodes) + " nodes x " + std::to_string(sizeof(Node)) +
        " bytes + " + mib(rows * sizeof(Node*) + more) + " = " + mib(needed) +
        ", the memory budget is " + mib(budget) + "; raise --memory or use fewer rows or columns");
  }

  std::vector<Node> nodes_;
  std::vector<Node*> rows_;
};

}  // namespace semblance::libraries
