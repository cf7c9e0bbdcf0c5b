// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/graph/compilation.hpp"
#include "runtime/ranks/row_share.hpp"
#include "runtime/store/artifact_store.hpp"

namespace semblance {

/// Where what a node learns comes from.
enum class Learning {
  none,    ///< it has nothing to learn, or nobody looks at it
  learn,   ///< fit, select, set bases, train or evaluate: not in the store
  restore  ///< from the store
};

/// Where a node's rows are for those that want them.
enum class RowsPlan {
  streamed,  ///< computed when they are wanted, and gone
  kept,      ///< computed, and left for later stages
  stored     ///< left by an earlier run in the store
};

/// What has to happen for one node.
struct NodePlan {
  Learning learning = Learning::none;
  RowsOf wanted = RowsOf::none;  ///< rows that somebody needs
  RowsPlan rows = RowsPlan::streamed;
  bool probed = false;  ///< an evaluator will send rows of its own through it
  std::size_t kept_bytes = 0;
  double operations = 0;  ///< floating-point operations, where they are known

  bool learns() const noexcept { return learning == Learning::learn; }
  bool keeps() const noexcept { return rows != RowsPlan::streamed; }
  bool used() const noexcept { return wanted != RowsOf::none; }
};

/// What a run computes, takes from the store, and keeps.
struct Plan {
  std::vector<NodePlan> nodes;
  std::size_t kept_bytes = 0;    ///< of all kept rows and training matrices together
  std::size_t source_bytes = 0;  ///< estimate of what the data sets hold that are open at once
  std::size_t largest_source_bytes = 0;  ///< of one of them
  std::size_t block_bytes = 0;           ///< of one block of rows in all nodes of a stage
  std::size_t least_block_bytes = 0;     ///< where a stage computes nothing but one node's rows
  std::size_t blocks = 0;                ///< of rows that may be under way at once: allot_memory()
};

std::string state_key(const Node& node);
std::string rows_key(const Node& node);

/// The rows of `node` that are wanted, given its plan.
RowSpan wanted_rows(const Node& node, const NodePlan& plan);

/// The rows of its inputs that a node learns from.
RowSpan rows_learned_from(const Node& node);

/// Works out the plan, from the results back to the sources. `stored` says whether the store has an
/// artifact. Nothing is to be done for the nodes that are left out: those for which failed[i] is
/// set, and with them all behind them. Several ranks must all get the same answers.
Plan make_plan(const Compilation& graph, const std::function<bool(const std::string& key)>& stored,
               const std::vector<char>& failed, RowShare share);

/// The program and its libraries, before any data.
inline constexpr std::size_t program_bytes = std::size_t{98} << 20;

/// What is in memory throughout and cannot be kept on disk: the program, the data sets, and the
/// blocks of rows that are under way.
std::size_t fixed_bytes(const Plan& plan);

/// Decides which data sets may be open at once (all; where these would take more than half of what
/// the program leaves, as many as that allows, but the largest in any case), how much a stage may
/// compute, and how many of its blocks of rows may be under way at once: two a thread, fewer where
/// they would take more than half of what then is left, and where two are too many a stage computes
/// less. Refuses, with the arithmetic, what cannot fit: throws Error when what must be in memory at
/// once exceeds `memory`.
void allot_memory(Plan& plan, std::size_t memory, std::size_t threads);

/// The least that the plan needs: one data set, and two blocks of rows of the smallest stages.
void allot_least(Plan& plan);

}  // namespace semblance
