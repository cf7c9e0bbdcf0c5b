// SPDX-License-Identifier: MIT
#include "serve/media_type.hpp"

#include <algorithm>

#include "semblance/parsed_float.hpp"

namespace semblance::serving {
namespace {

std::string plain_word(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  std::string word(text.substr(first, text.find_last_not_of(" \t") - first + 1));
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

/// Removes the part before the next mark from `text`.
std::string take_word(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  std::string word = plain_word(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

std::optional<Form> form_of(const std::string& type) {
  if (type == "application/json") return Form::json;
  if (type == "text/csv") return Form::csv;
  if (type == "text/x-libsvm") return Form::libsvm;
  return std::nullopt;
}

/// A form that matches a range such as "text/*".
std::optional<Form> form_for(const std::string& range) {
  if (range == "*/*" || range == "application/*") return Form::json;
  if (range == "text/*") return Form::csv;
  const auto form = form_of(range);
  return form == Form::libsvm ? std::nullopt : form;
}

}  // namespace

std::optional<BodyType> body_type(std::string_view content_type) {
  const auto form = form_of(take_word(content_type, ';'));
  if (!form) return std::nullopt;
  BodyType type{*form, Header::find_out};
  while (!content_type.empty()) {
    const std::string parameter = take_word(content_type, ';');
    if (parameter == "header=present")
      type.header = Header::present;
    else if (parameter == "header=absent")
      type.header = Header::absent;
    else if (parameter.starts_with("charset=") && parameter != "charset=utf-8" &&
             parameter != "charset=\"utf-8\"" && parameter != "charset=us-ascii")
      return std::nullopt;
  }
  return type;
}

std::optional<Form> answer_form(std::string_view accept) {
  if (plain_word(accept).empty()) return Form::json;
  std::optional<Form> best;
  float best_weight = 0;
  while (!accept.empty()) {
    std::string wish = take_word(accept, ',');
    std::string_view rest = wish;
    const auto form = form_for(take_word(rest, ';'));
    float weight = 1;
    while (!rest.empty()) {
      const std::string parameter = take_word(rest, ';');
      if (parameter.starts_with("q=") && parse_float(parameter.substr(2), weight) != nullptr)
        weight = 0;
    }
    if (!form || !(weight > best_weight)) continue;
    best = form;
    best_weight = weight;
  }
  return best;
}

}  // namespace semblance::serving
