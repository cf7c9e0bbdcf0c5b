// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/samples.hpp"

namespace semblance::solvers {

/// Rows in the form that LIBSVM and LIBLINEAR share: index and value of the non-zero values,
/// counted from 1, closed by index -1. Node is their struct.
template <class Node>
class SparseNodes {
 public:
  /// Throws Error with the arithmetic when the nodes and `more` bytes exceed the memory budget.
  /// With bias > 0 it is appended to every row.
  SparseNodes(const Rows& rows, double bias, std::size_t more, const std::string& library,
              Context& context) {
    std::size_t values = 0;
    for_rows(rows, [&](std::size_t, std::span<const float> x) {
      for (const float v : x) values += v != 0;
    });
    const std::size_t nodes = values + rows.rows() * (bias > 0 ? 2 : 1);
    refuse_beyond_budget(nodes, rows.rows(), more, library, context.memory_budget());
    nodes_.reserve(nodes);
    rows_.reserve(rows.rows());
    for_rows(rows, [&](std::size_t, std::span<const float> x) {
      rows_.push_back(nodes_.data() + nodes_.size());
      append(x, bias);
    });
  }

  /// One row.
  SparseNodes(std::span<const float> x, double bias) {
    nodes_.reserve(x.size() + 2);
    append(x, bias);
    rows_.push_back(nodes_.data());
  }

  Node** rows() noexcept { return rows_.data(); }
  std::size_t bytes() const noexcept { return nodes_.size() * sizeof(Node); }

 private:
  template <class F>
  static void for_rows(const Rows& rows, const F& f) {
    for (std::size_t first = 0; first < rows.rows(); first += block_rows) {
      const std::size_t count = std::min(block_rows, rows.rows() - first);
      const MatrixView view = rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) f(first + r, view.row_span(r));
      rows.release(first, count);
    }
  }

  static void refuse_beyond_budget(std::size_t nodes, std::size_t rows, std::size_t more,
                                   const std::string& library, std::size_t budget) {
    const std::size_t needed = nodes * sizeof(Node) + rows * sizeof(Node*) + more;
    if (needed <= budget) return;
    const auto mib = [](std::size_t bytes) {
      return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
    };
    throw Error(library + " needs " + std::to_string(nodes) + " nodes x " +
                std::to_string(sizeof(Node)) + " bytes + " + mib(rows * sizeof(Node*) + more) +
                " = " + mib(needed) + ", the memory budget is " + mib(budget) +
                "; raise --memory or use fewer rows or columns");
  }

  void append(std::span<const float> x, double bias) {
    for (std::size_t j = 0; j < x.size(); ++j)
      if (x[j] != 0) nodes_.push_back({static_cast<int>(j + 1), double{x[j]}});
    if (bias > 0) nodes_.push_back({static_cast<int>(x.size() + 1), bias});
    nodes_.push_back({-1, 0});
  }

  std::vector<Node> nodes_;
  std::vector<Node*> rows_;
};

}  // namespace semblance::solvers
