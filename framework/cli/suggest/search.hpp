// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/suggest/suggestion.hpp"
#include "cli/suggest/task.hpp"
#include "runtime/run/run.hpp"

namespace semblance::cli {

/// The pipeline as a study of one method over all splits; errors are printed.
std::optional<Study> checked_candidate(const Candidate& candidate, const SuggestTask& task,
                                       const Catalogue& catalogue);

/// The outcome for the candidates.
struct SearchResult {
  Suggestion found;
  std::vector<std::string> failed;      ///< methods, with the reason
  std::vector<std::string> unfinished;  ///< methods skipped by the deadline or Ctrl-C
  RunEnd end = RunEnd::done;
};

/// Studies one candidate after another in settings.out, until the deadline. Nothing if one is not a
/// valid pipeline: the reason is printed.
std::optional<SearchResult> try_candidates(const SuggestTask& task, const DataFacts& facts,
                                           const Catalogue& catalogue, const RunOptions& settings);

}  // namespace semblance::cli
