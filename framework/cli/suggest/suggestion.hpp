// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/study_record.hpp"

namespace semblance::cli {

/// The cost of a method: measured on one thread, on the samples of the first split.
struct Cost {
  double train_seconds = 0;        ///< busy time of its nodes while learning
  double prediction_seconds = 0;   ///< busy time for one new sample
  std::uintmax_t model_bytes = 0;  ///< on disk
};

/// The methods that were tried, as one study, and the cost of each.
struct Suggestion {
  StudyRecord study;
  std::vector<std::optional<Cost>> costs;  ///< one per method; nothing if it was not measured
};

/// Adds a method that was studied alone: the only one of `single`, on the same splits.
void add_method(Suggestion& all, StudyRecord single, const std::string& name,
                const std::optional<Cost>& cost);

/// Compares the methods with the best of them.
void compare_with_best(Suggestion& all);

/// The method with the least mean, with which all other methods are compared.
std::size_t best_method(const Suggestion& all);

/// Whether the splits cannot distinguish method `m` from the best at 5 %, corrected for their
/// number.
bool as_good_as_best(const Suggestion& all, std::size_t m);

/// The method that predicts fastest, among those that are as good as the best and within a standard
/// error of its mean.
std::size_t fastest_of_good(const Suggestion& all);

/// Text for the terminal: one line per method, the best with a '*', those as good with a '='.
std::string suggestion_text(const Suggestion& all);

/// {"best": NAME, "methods": [{"name", "error_rate", "deviation", "as_good_as_best",
/// "train_seconds", "prediction_seconds", "model_bytes"}]}
nlohmann::ordered_json suggestion_json(const Suggestion& all);

}  // namespace semblance::cli
