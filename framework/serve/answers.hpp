// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/matrix.hpp"
#include "serve/served_model.hpp"

namespace semblance::serving {

/// Writes what rows get as text. Numbers have the fewest digits that read as the same float32.
class Answers {
 public:
  explicit Answers(const ServedModel& model);

  /// A line of names, and one line per row, as in a run's predictions:
  ///
  ///     scores     predicted,score a,score b      without scores only the class
  ///                of probabilities: predicted,probability a,probability b
  ///     sets       predicted,set,score a,score b  without scores the class and the set
  ///     estimates  predicted price
  ///     intervals  predicted price,low price,high price
  ///     novelty    predicted,score                usual or novel, as estimates always with it
  void append_csv_header(std::string& text) const;
  void append_csv(std::string& text, std::span<const float> scores, bool with_scores) const;

  /// With `rest` before the last brace:
  ///
  ///     scores     {"class": "a", "scores": {"a": 0.5, "b": -0.5}}
  ///     sets       {"class": "a", "set": ["a"], "scores": {"a": 0.5, "b": -0.5}}
  ///     estimates  {"estimates": {"price": 3.5}}
  ///     intervals  {"estimates": {"price": 3.5}, "intervals": {"price": [3, 4]}}
  ///     novelty    {"novel": true, "score": -0.5}
  void append_json(std::string& text, std::span<const float> scores, bool with_scores,
                   std::string_view rest = {}) const;

 private:
  bool numbers() const noexcept;
  std::size_t target_values() const noexcept { return gives_ == PortType::intervals ? 3 : 1; }
  void append_class_json(std::string& text, std::span<const float> scores, bool with_scores) const;
  void append_estimates_json(std::string& text, std::span<const float> values) const;
  std::string set_of(std::span<const float> scores) const;

  PortType gives_;
  bool sets_;
  std::vector<std::string> names_;  ///< the classes, or the numbers to predict
  std::vector<std::string> csv_;    ///< the same as CSV fields
  std::vector<std::string> json_;   ///< and as JSON strings
  std::string header_;
};

/// , "nearest": [...]
std::string nearest_json(const std::vector<NearestBasis>& nearest);

}  // namespace semblance::serving
