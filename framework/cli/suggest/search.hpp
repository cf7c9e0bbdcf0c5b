// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/pipeline_options.hpp"
#include "cli/suggest/candidates.hpp"
#include "cli/suggest/suggestion.hpp"
#include "runtime/run/run.hpp"

namespace semblance::cli {

/// The share of samples to test on, unless the data are large.
inline constexpr double usual_test_fraction = 0.25;

/// The task for which to suggest a method, from the arguments.
struct SuggestTask {
  std::filesystem::path data;
  DataReading reading;
  std::size_t rows = 2000;  ///< to train on, at most
  std::size_t splits = 5;
  bool numbers = false;  ///< are predicted, not classes
  CheckOptions checking;

  /// The figure of `test` by which methods are compared.
  const char* metric() const noexcept { return numbers ? "rmse" : "error_rate"; }
};

/// The verb's own options.
void add_suggest_options(options::options_description& described);

/// Throws UsageError.
SuggestTask suggest_task(const options::variables_map& values, const Verb& verb);

/// Properties of the data, once read.
struct DataFacts {
  std::size_t rows = 0;
  std::size_t values = 0;
  std::map<std::string, std::size_t> classes;  ///< number of samples by class
  bool attributes = false;                     ///< the nodes of graphs have some
  double deviation = 0;                        ///< of the numbers to predict, from their mean
  std::set<std::string> remarks;  ///< what the source has to say of the file: filled-in values

  /// The metric of always predicting the largest class, or the mean.
  double trivial_error() const;
};

/// Reads the data that the pipeline names. Throws Error, also if the labels do not look like
/// classes, and if there are several numbers to predict.
DataFacts data_facts(const SuggestTask& task, const Pipeline& pipeline, const Catalogue& catalogue,
                     RunOptions settings);

/// The share of the samples to test on that leaves at most task.rows for training.
double test_fraction(const SuggestTask& task, const DataFacts& facts);

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
