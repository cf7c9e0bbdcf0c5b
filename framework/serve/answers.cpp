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

Answers::Answers(const ServedModel& model) : gives_(model.gives()) {
  const bool estimates = gives_ == PortType::estimates;
  if (!estimates) header_ = "predicted";
  if (gives_ == PortType::novelty) {
    header_ += ",score";
    return;
  }
  for (const std::string& name : estimates ? model.targets() : model.classes()) {
    csv_.push_back(csv_field(name));
    json_.push_back(json_string(name));
    if (!header_.empty()) header_ += ',';
    header_ += csv_field((estimates ? "predicted " : "score ") + name);
  }
}

void Answers::append_csv_header(std::string& text) const { text += header_ + "\n"; }

void Answers::append_csv(std::string& text, std::span<const float> scores, bool with_scores) const {
  const bool estimates = gives_ == PortType::estimates;
  if (gives_ == PortType::novelty)
    text += scores[0] >= 0 ? "usual" : "novel";
  else if (!estimates)
    text += csv_[static_cast<std::size_t>(predicted_class(scores))];
  for (std::size_t k = 0; k < scores.size() && (with_scores || estimates); ++k) {
    if (k > 0 || !estimates) text += ',';
    append_float(text, scores[k]);
  }
  text += '\n';
}

void Answers::append_json(std::string& text, std::span<const float> scores, bool with_scores,
                          std::string_view rest) const {
  if (gives_ == PortType::estimates) {
    text += "{\"estimates\": ";
    append_named(text, scores);
  } else if (gives_ == PortType::novelty) {
    text += scores[0] >= 0 ? "{\"novel\": false" : "{\"novel\": true";
    if (with_scores) {
      text += ", \"score\": ";
      append_json_float(text, scores[0]);
    }
  } else {
    text += "{\"class\": " + json_[static_cast<std::size_t>(predicted_class(scores))];
    if (with_scores) {
      text += ", \"scores\": ";
      append_named(text, scores);
    }
  }
  text += rest;
  text += '}';
}

void Answers::append_named(std::string& text, std::span<const float> values) const {
  text += '{';
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0) text += ", ";
    text += json_[k];
    text += ": ";
    append_json_float(text, values[k]);
  }
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
