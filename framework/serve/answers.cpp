// SPDX-License-Identifier: MIT
#include "serve/answers.hpp"

#include <algorithm>
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

Answers::Answers(const ServedModel& model)
    : gives_(model.gives()),
      sets_(model.gives_sets()),
      names_(numbers() ? model.targets() : model.classes()) {
  const auto add = [&](const std::string& name) {
    if (!header_.empty()) header_ += ',';
    header_ += csv_field(name);
  };
  if (!numbers()) add("predicted");
  if (sets_) add("set");
  if (gives_ == PortType::novelty) add("score");
  for (const std::string& name : names_) {
    csv_.push_back(csv_field(name));
    json_.push_back(json_string(name));
    if (numbers())
      add("predicted " + name);
    else if (gives_ == PortType::scores)
      add((model.gives_probabilities() ? "probability " : "score ") + name);
    if (gives_ == PortType::intervals) {
      add("low " + name);
      add("high " + name);
    }
  }
}

bool Answers::numbers() const noexcept {
  return gives_ == PortType::estimates || gives_ == PortType::intervals;
}

void Answers::append_csv_header(std::string& text) const { text += header_ + "\n"; }

void Answers::append_csv(std::string& text, std::span<const float> scores, bool with_scores) const {
  std::string line;
  const auto add = [&](float value) {
    if (!line.empty()) line += ',';
    append_float(line, value);
  };
  if (gives_ == PortType::novelty) {
    line = scores[0] >= 0 ? "usual" : "novel";
    if (with_scores) add(scores[0]);
  } else if (gives_ == PortType::intervals) {
    for (std::size_t k = 0; k < scores.size(); k += 3)
      for (const std::size_t place : {k + 1, k, k + 2}) add(scores[place]);
  } else {
    if (!numbers()) line = csv_[static_cast<std::size_t>(predicted_class(scores))];
    if (sets_) line += ',' + csv_field(set_of(scores));
    if (with_scores || numbers()) std::ranges::for_each(scores, add);
  }
  text += line + '\n';
}

void Answers::append_json(std::string& text, std::span<const float> scores, bool with_scores,
                          std::string_view rest) const {
  if (numbers()) {
    append_estimates_json(text, scores);
  } else if (gives_ == PortType::novelty) {
    text += scores[0] >= 0 ? "{\"novel\": false" : "{\"novel\": true";
    if (with_scores) {
      text += ", \"score\": ";
      append_json_float(text, scores[0]);
    }
  } else {
    append_class_json(text, scores, with_scores);
  }
  text += rest;
  text += '}';
}

void Answers::append_class_json(std::string& text, std::span<const float> scores,
                                bool with_scores) const {
  text += "{\"class\": " + json_[static_cast<std::size_t>(predicted_class(scores))];
  if (sets_) {
    text += ", \"set\": [";
    for (std::size_t c = 0; c < scores.size(); ++c)
      if (scores[c] >= 0) text += (text.ends_with('[') ? "" : ", ") + json_[c];
    text += ']';
  }
  if (!with_scores) return;
  text += ", \"scores\": {";
  for (std::size_t k = 0; k < scores.size(); ++k) {
    text += (k > 0 ? ", " : "") + json_[k] + ": ";
    append_json_float(text, scores[k]);
  }
  text += '}';
}

void Answers::append_estimates_json(std::string& text, std::span<const float> values) const {
  const std::size_t step = target_values();
  text += "{\"estimates\": {";
  for (std::size_t k = 0; k < json_.size(); ++k) {
    text += (k > 0 ? ", " : "") + json_[k] + ": ";
    append_json_float(text, values[k * step + step / 2]);
  }
  text += '}';
  if (gives_ != PortType::intervals) return;
  text += ", \"intervals\": {";
  for (std::size_t k = 0; k < json_.size(); ++k) {
    text += (k > 0 ? ", " : "") + json_[k] + ": [";
    append_json_float(text, values[3 * k]);
    text += ", ";
    append_json_float(text, values[3 * k + 2]);
    text += ']';
  }
  text += '}';
}

std::string Answers::set_of(std::span<const float> scores) const {
  std::string names;
  for (std::size_t c = 0; c < scores.size(); ++c)
    if (scores[c] >= 0) names += (names.empty() ? "" : " | ") + names_[c];
  return names;
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
