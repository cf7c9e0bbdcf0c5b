// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/artifact_store.hpp"
#include "runtime/compiled.hpp"

namespace semblance {

/// Rows of a data set: [first, first + count).
struct RowSpan {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t end() const noexcept { return first + count; }
};

/// What has to happen for one node.
struct NodePlan {
  bool learn = false;       ///< fit, select, set bases, train or evaluate: not in the store
  bool restore = false;     ///< the same, from the store
  bool train_rows = false;  ///< rows that somebody needs
  bool test_rows = false;
  bool keep = false;         ///< its rows are left for later stages
  bool rows_stored = false;  ///< and are in the store already
  bool probed = false;       ///< an evaluator will send rows of its own through it
  std::size_t kept_bytes = 0;
  double operations = 0;  ///< floating-point operations, where they are known
};

/// What a run computes, takes from the store, and keeps.
struct Plan {
  std::vector<NodePlan> nodes;
  std::size_t kept_bytes = 0;    ///< of all kept rows and training matrices together
  std::size_t source_bytes = 0;  ///< estimate of what opened data sets hold
  std::size_t block_bytes = 0;   ///< of one block of rows in all nodes that give some
  std::size_t blocks = 0;        ///< of rows that may be under way at once: allot_memory()
  bool uses(std::size_t i) const { return nodes[i].train_rows || nodes[i].test_rows; }
};

std::string state_key(const CompiledNode& node);
std::string rows_key(const CompiledNode& node);

/// The rows of `node` that are wanted, given its plan.
RowSpan wanted_rows(const CompiledNode& node, const NodePlan& plan);

/// The rows of its input that a solver is given when it learns: for training, and of a pair solver
/// those for testing too, since it scores pairs of both.
RowSpan rows_learned_from(const CompiledNode& solver);

/// Works out the plan, from the results back to the sources. With `verify`, artifacts are checked
/// byte for byte and damaged ones are removed and reported to `damaged`; without, only looked up.
Plan make_plan(const Compilation& compilation, const ArtifactStore* store, bool verify,
               const std::function<void(const std::string&)>& damaged);

/// The program and its libraries, before any data.
inline constexpr std::size_t program_bytes = std::size_t{96} << 20;

/// What is in memory throughout and cannot be kept on disk: the program, the data sets, and the
/// blocks of rows that are under way.
std::size_t fixed_bytes(const Plan& plan);

/// Decides how many blocks of rows may be under way at once: two a thread, fewer where they would
/// take more than half of the memory that the program and the data sets leave. Refuses, with the
/// arithmetic, what cannot fit: throws Error when what must be in memory at once exceeds `memory`.
void allot_memory(Plan& plan, std::size_t memory, std::size_t threads);

}  // namespace semblance
