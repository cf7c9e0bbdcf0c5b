// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <initializer_list>
#include <span>
#include <vector>

#include "runtime/explain/score_sum.hpp"
#include "runtime/session/run_data.hpp"

namespace semblance {

/// What a machine and the nodes before it compute for rows of their source, on all threads. Rows
/// are dense; of sparse ones they have the given columns, which are all that have values.
class MachineValues {
 public:
  MachineValues(RunProgress& progress, RunData& data, std::size_t machine,
                const std::atomic<bool>* cancel)
      : progress_(progress), data_(data), machine_(machine), cancel_(cancel) {}

  FloatMatrix scores(MatrixView rows) const { return of_node(machine_, rows, {}); }
  /// The rows of these nodes side by side.
  FloatMatrix of_nodes(const std::vector<std::size_t>& nodes, MatrixView rows,
                       std::span<const std::size_t> columns) const;
  /// The columns in which a node's sparse rows have values, ascending; at least one.
  std::vector<std::size_t> columns_with_values(std::size_t node,
                                               std::initializer_list<MatrixView> rows) const;
  /// One row of terms per row.
  FloatMatrix terms(const ScoreSum& sum, MatrixView rows) const;
  /// The machine's own values of the functions: rows x functions.
  std::vector<double> functions(const ScoreSum& sum, MatrixView rows) const;

  NodeContext context() const;

 private:
  FloatMatrix as_given(std::size_t node, MatrixView rows) const;
  FloatMatrix of_node(std::size_t node, MatrixView rows,
                      std::span<const std::size_t> columns) const;
  FloatMatrix inputs(MatrixView rows) const;

  RunProgress& progress_;
  RunData& data_;
  std::size_t machine_;
  const std::atomic<bool>* cancel_;
};

}  // namespace semblance
