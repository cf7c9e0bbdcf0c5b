// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/graph/compilation.hpp"
#include "runtime/ranks/row_share.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/store/artifact_store.hpp"

namespace semblance {

/// How a node gets what it has learned.
enum class Learning {
  none,    ///< it has nothing to learn, or nothing needs it
  learn,   ///< fit, select, set bases, train or evaluate: not in the store
  restore  ///< from the store
};

/// How the nodes that need a node's rows get them.
enum class RowsPlan {
  streamed,  ///< computed when needed, and not retained
  kept,      ///< computed, and retained for later stages
  stored     ///< stored by an earlier run
};

/// The plan for one node.
struct NodePlan {
  Learning learning = Learning::none;
  RowsOf wanted = RowsOf::none;  ///< rows that something needs
  RowsPlan rows = RowsPlan::streamed;
  bool probed = false;  ///< an evaluator will send rows of its own through it
  std::size_t kept_bytes = 0;
  double operations = 0;  ///< floating-point operations, where known

  bool learns() const noexcept { return learning == Learning::learn; }
  bool keeps() const noexcept { return rows != RowsPlan::streamed; }
  bool used() const noexcept { return wanted != RowsOf::none; }
};

/// The plan of a run: what it computes, takes from the store, and retains.
struct Plan {
  std::vector<NodePlan> nodes;
  std::size_t kept_bytes = 0;            ///< of all retained rows and training matrices together
  std::size_t program_bytes = 0;         ///< of the program itself
  std::size_t source_bytes = 0;          ///< estimated bytes of the data sets that are open at once
  std::size_t largest_source_bytes = 0;  ///< of one of them
  std::size_t block_bytes = 0;           ///< of one block of rows in all nodes of a stage
  std::size_t least_block_bytes = 0;     ///< where a stage computes only one node's rows
  std::size_t blocks = 0;                ///< blocks of rows that may be in progress at once:
                                         ///< allot_memory()
};

std::string state_key(const NodeFacts& node);
std::string rows_key(const NodeFacts& node);

/// The rows of `node` that are needed, according to its plan.
RowSpan wanted_rows(const NodeFacts& node, const NodePlan& plan);

/// The rows of its inputs that a node learns from.
RowSpan rows_learned_from(const NodeFacts& node);

/// Makes the plan, from the results back to the sources. `stored` says whether the store has an
/// artifact. Nodes with failed[i] set, and all that follow them, are excluded: nothing is done for
/// them. Several ranks must all get the same answers.
Plan make_plan(const Compilation& graph, const std::function<bool(const std::string& key)>& stored,
               const std::vector<char>& failed, RowShare share);

/// The memory that is taken throughout and cannot be moved to disk: the program, the data sets, and
/// the blocks of rows in progress.
std::size_t fixed_bytes(const Plan& plan);

/// Decides which data sets may be open at once, how much a stage may compute, and how many of its
/// blocks of rows may be in progress at once. All data sets may be open unless they take more than
/// half of what the program leaves; then as many as fit in that half, and the largest in any case.
/// There are two blocks per thread; fewer where they would take more than half of what then is
/// left; and where two are too many, a stage computes less. Throws Error, with the arithmetic, when
/// what must be in memory at once exceeds `memory`.
void allot_memory(Plan& plan, std::size_t memory, std::size_t threads);

/// Allots the least that the plan needs: one data set, and two blocks of rows of the smallest
/// stages.
void allot_least(Plan& plan);

}  // namespace semblance
