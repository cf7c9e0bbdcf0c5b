// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "runtime/session.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// The steps of nodes that are about pairs of examples. Node i is of kind `pairs` in the first, a
/// pair solver in the others but the last, and there an evaluator of pairs.

/// Chooses the pairs and checks that they are of rows that exist, training pairs of training rows.
void choose_pairs(Session& session, std::size_t i);

/// The same without taking note of it, and with another number of training rows: 0 for new data.
PairSelection chosen_pairs(Session& session, std::size_t i, std::size_t train_rows);

/// Learns from the training pairs, then scores the test pairs.
void train_on_pairs(Session& session, std::size_t i, Report& report);

/// Scores `pairs` of the rows that the solver was given; they become its rows.
void score_pairs(Session& session, std::size_t i, const PairSet& pairs);

/// The scores of the test pairs, as an artifact keeps them.
void save_pair_scores(const Session& session, std::size_t i, const std::filesystem::path& folder);
void load_pair_scores(Session& session, std::size_t i, const std::filesystem::path& folder);

/// Calls an evaluator of pairs.
void judge_pairs(Session& session, std::size_t i, Report& report);

}  // namespace semblance
