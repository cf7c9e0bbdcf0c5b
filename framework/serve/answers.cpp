// SPDX-License-Identifier: MIT
#include "serve/answers.hpp"

#include <cmath>

#include "semblance/predicted_class.hpp"
#include "support/csv_field.hpp"
#include "support/float_text.hpp"
#include "support/json_string.hpp"

namespace semblance::serving {
namespace {

/// JSON has no other numbers.
void append_json_float(std::string& text, float value) {
  if (std::isfinite(value))
    append_float(text, value);
  else
    text += "null";
}

}  // namespace

Answers::Answers(const std::vector<std::string>& classes) : header_("predicted") {
  for (const std::string& name : classes) {
    csv_.push_back(csv_field(name));
    json_.push_back(json_string(name));
    header_ += "," + csv_field("score " + name);
  }
}

void Answers::append_csv_header(std::string& text) const { text += header_ + "\n"; }

void Answers::append_csv(std::string& text, std::span<const float> scores, bool with_scores) const {
  text += csv_[static_cast<std::size_t>(predicted_class(scores))];
  if (with_scores)
    for (const float score : scores) {
      text += ',';
      append_float(text, score);
    }
  text += '\n';
}

void Answers::append_json(std::string& text, std::span<const float> scores, bool with_scores,
                          std::string_view rest) const {
  text += "{\"class\": " + json_[static_cast<std::size_t>(predicted_class(scores))];
  if (with_scores) {
    text += ", \"scores\": {";
    for (std::size_t k = 0; k < scores.size(); ++k) {
      if (k > 0) text += ", ";
      text += json_[k];
      text += ": ";
      append_json_float(text, scores[k]);
    }
    text += '}';
  }
  text += rest;
  text += '}';
}

std::string nearest_json(const std::vector<NearestBasis>& nearest) {
  std::string text = ", \"nearest\": [";
  for (const NearestBasis& one : nearest) {
    if (!text.ends_with('[')) text += ", ";
    text += "{\"map\": " + json_string(one.map) + ", \"basis\": " + std::to_string(one.basis) +
            ", \"row\": " + std::to_string(one.row) + ", \"similarity\": ";
    append_json_float(text, one.similarity);
    text += '}';
  }
  return text + "]";
}

}  // namespace semblance::serving
