// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/run/rehearsal.hpp"

namespace semblance {

/// The cost of one node of a run over ranks, on the rank that has most of its rows.
struct NodeOfRanks {
  std::size_t rows = 0;           ///< that it computes or reads
  std::optional<LearnsWhere> on;  ///< where it learns; nothing: it does not learn, or not from rows
  std::size_t gathered = 0;       ///< bytes of rows that are sent to the first rank to learn from
  /// Seconds for its rows and, where known, for learning; nothing: not known.
  std::optional<double> seconds;
  /// The data that a rank sends while all learn; 0 bytes, 0 steps: not known.
  Exchange exchange;
};

/// Throws Error where a component refuses to say what it exchanges. `rates` are those of the
/// session, which is prepared for a number of ranks (RunPurpose::planned_ranks).
std::vector<NodeOfRanks> plan_of_ranks(const RunProgress& progress,
                                       const std::vector<NodeRates>& rates);

/// The time of a small message between two machines, over TCP and Ethernet: 30 to 60 microseconds
/// are usual.
inline constexpr double message_seconds = 50e-6;

/// The time in which `ranks` ranks add up numbers, where each sends `bytes` bytes: from neighbour
/// to neighbour up a binary tree, and the sum down again, with one message per level and direction.
double exchange_seconds(double bytes, std::size_t ranks, double bits_a_second) noexcept;

}  // namespace semblance
