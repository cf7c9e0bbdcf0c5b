// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/drawn_sample.hpp"
#include "semblance/explanation.hpp"

namespace semblance {

/// A test sample with its explanation.
struct DrawnExplanation {
  DrawnSample sample;
  std::int64_t number = 0;         ///< the sample's number in the data
  Explanation explanation;         ///< without examples, and with at most most_shares shares
  std::size_t other_shares = 0;    ///< the number of the others
  double other_shares_sum = 0;     ///< and their sum
  ShownExamples shown;             ///< of the examples
  std::vector<DrawnSample> drawn;  ///< the training samples of these; empty: not at hand
};

/// The most shares that are recorded: the largest ones.
constexpr std::size_t most_shares = 1000;

/// ExplainedSamples as metrics.json lists them and the page draws them.
struct DrawnExplanations {
  std::string name;
  std::size_t height = 1, width = 1;  ///< of an image in pixels, of a grid in cells
  std::vector<DrawnExplanation> entries;
  ExplainedSamples::Of of = ExplainedSamples::Of::classes;
};

/// Throws Error where the number of values of a sample does not match its layout, and where there
/// are training samples for some of the shown examples only.
DrawnExplanations drawn_explanations(const ExplainedSamples& samples);

/// A label or an estimate as a number; nothing: it is none.
std::optional<double> number_of(const std::string& text);

/// For metrics.json: an array with what `semblance explain --json` prints for each, and the true
/// class or number of the sample.
nlohmann::ordered_json explanations_json(const DrawnExplanations& list);

/// For the artifact store.
nlohmann::ordered_json explanations_to_json(const DrawnExplanations& list);

/// Throws Error, or an exception of the JSON library, where it is not from explanations_to_json().
DrawnExplanations explanations_from_json(const nlohmann::ordered_json& json);

}  // namespace semblance
