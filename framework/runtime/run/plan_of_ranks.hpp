// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/run/rehearsal.hpp"

namespace semblance {

/// What a run over ranks would take of one node, on the rank that has most of its rows.
struct NodeOfRanks {
  std::size_t rows = 0;           ///< that it computes, or reads
  std::optional<LearnsWhere> on;  ///< where it learns; nothing: it does not, or not from rows
  std::size_t gathered = 0;       ///< bytes of rows that the first rank is sent to learn from
  /// Seconds for its rows and, where that is known, for learning; nothing: not known.
  std::optional<double> seconds;
  /// What a rank sends while all learn; 0 bytes, 0 steps: not known.
  Exchange exchange;
};

/// Throws Error where a component refuses to say what it exchanges. `rates` are those of the
/// session, which is prepared for so many ranks (RunPurpose::planned_ranks).
std::vector<NodeOfRanks> plan_of_ranks(const Session& session, const std::vector<NodeRates>& rates);

/// A small message takes so long from one machine to another, over TCP and Ethernet: 30 to 60
/// microseconds are usual.
inline constexpr double message_seconds = 50e-6;

/// How long so many ranks take to add up numbers of which each sends so many bytes: from neighbour
/// to neighbour up a binary tree, and the sum down again, one message a level and direction.
double exchange_seconds(double bytes, std::size_t ranks, double bits_a_second) noexcept;

}  // namespace semblance
