// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/matrix.hpp"
#include "serve/served_model.hpp"

namespace semblance::serving {

/// Writes scores and estimates as text. Numbers have the fewest digits that read as the same
/// float32.
class Answers {
 public:
  explicit Answers(const ServedModel& model);

  /// "predicted,score a,score b", and one line per row; without scores only the class, and no
  /// header. Estimates: "predicted price" and one number each. Novelty scores: "predicted,score",
  /// where usual or novel is predicted.
  void append_csv_header(std::string& text) const;
  void append_csv(std::string& text, std::span<const float> scores, bool with_scores) const;

  /// {"class": "a", "scores": {"a": 0.5, "b": -0.5}}, with `rest` before the last brace;
  /// {"estimates":
  /// {"price": 3.5}}; {"novel": true, "score": -0.5}.
  void append_json(std::string& text, std::span<const float> scores, bool with_scores,
                   std::string_view rest = {}) const;

 private:
  void append_named(std::string& text, std::span<const float> values) const;

  PortType gives_;
  std::vector<std::string> csv_;   ///< the classes, or the numbers to predict, as CSV fields
  std::vector<std::string> json_;  ///< and as JSON strings
  std::string header_;
};

/// , "nearest": [...]
std::string nearest_json(const std::vector<NearestBasis>& nearest);

}  // namespace semblance::serving
