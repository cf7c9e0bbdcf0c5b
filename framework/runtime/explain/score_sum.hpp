// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "runtime/session/run_progress.hpp"
#include "semblance/decision_values.hpp"

namespace semblance {

/// Some terms of a sum: the similarities to the bases of one map, or the columns of one node.
struct SummedTerms {
  std::size_t node = 0;                    ///< the map, the kernel machine, or the columns' node
  const Similarity* similarity = nullptr;  ///< null: columns
  std::vector<std::size_t> compared;       ///< whose rows, side by side, the similarity compares
  std::size_t first = 0;                   ///< of all terms
  std::size_t count = 0;
  std::vector<std::size_t> columns = {};  ///< of sparse rows, those that count; else all do
};

/// A machine's functions as sums: function f of a row x is
/// biases[f] + sum_t weights[f * terms + t] * term t of x.
/// These are decision values of a kernel machine, and scores or estimates of one that is linear in
/// its inputs. Normalizers between the terms and the machine are part of the weights and biases.
struct ScoreSum {
  std::size_t machine = 0;  ///< the node
  bool kernel = false;      ///< a kernel machine: the terms are its kernel's values
  std::vector<SummedTerms> parts;
  std::size_t terms = 0;
  std::vector<double> biases;
  std::vector<double> weights;
  std::vector<Opposed> opposed;  ///< of a classifier, what each function separates

  std::size_t functions() const noexcept { return biases.size(); }
};

/// The places of the estimates among the outputs of a solver that gives intervals.
std::vector<std::size_t> estimate_columns(const NodeFacts& machine);

/// The columns in which the sparse rows of a node have values, ascending; at least one.
using ColumnsWithValues = std::function<std::vector<std::size_t>(std::size_t node)>;

/// Throws Error in one sentence if the node's output is no such sum. It must have learned. Where it
/// is a sum over columns of sparse rows, these are the columns with values: the others add nothing.
ScoreSum score_sum(const RunProgress& progress, std::size_t machine,
                   const ColumnsWithValues& columns);

/// Whether each column of a node's rows is one of the source's, at its place, shifted and scaled: a
/// normalizer of columns, but not of rows.
bool keeps_columns(const RunProgress& progress, std::size_t node);

}  // namespace semblance
