// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "runtime/session/run_data.hpp"

namespace semblance {

/// The time that a node takes for its rows, measured on a few rows and one thread of this machine.
struct NodeRates {
  std::optional<double> row;          ///< seconds to compute a row; nothing: not known
  std::optional<double> learned_row;  ///< seconds to learn from a row, where its kind can say
  std::optional<std::size_t> pairs;   ///< pairs to learn from, where the data were opened
};

/// The rates of all nodes of a session that is prepared and will not run: its components learn from
/// a few rows. These are the data's where the data set is small enough to be opened for this.
/// Otherwise, where samples are of one size, they are made up: the time depends on the size only.
/// Rates of nodes that cannot be tried are not known.
std::vector<NodeRates> rehearse(RunProgress& progress, RunData& data);

/// Data sets of more bytes than this are not opened for it.
inline constexpr std::size_t rehearsed_data_bytes = std::size_t{256} << 20;

}  // namespace semblance
