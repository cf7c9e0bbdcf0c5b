// SPDX-License-Identifier: MIT
#include "cli/board/run_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "semblance/error.hpp"

namespace semblance::board {
namespace {

using Matches = std::function<bool(const BoardRun&)>;

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return lower(text).find(part) != std::string::npos;
}

std::string tags_of(const BoardRun& run) {
  std::string text;
  for (const std::string& tag : run.tags) text += (text.empty() ? "" : " ") + tag;
  return text;
}

/// The text of a field; nothing for an unknown one.
const std::map<std::string, std::string (*)(const BoardRun&)> fields = {
    {"name", [](const BoardRun& run) { return run.name; }},
    {"folder", [](const BoardRun& run) { return run.place; }},
    {"tag", tags_of},
    {"tags", tags_of},
    {"note", [](const BoardRun& run) { return run.note; }},
    {"status", [](const BoardRun& run) { return run.status; }},
    {"kind", [](const BoardRun& run) { return run.kind; }},
    {"started", [](const BoardRun& run) { return run.started; }},
    {"command", [](const BoardRun& run) { return run.command; }}};

/// The words of a text; quotes keep blanks together and are removed.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ' ' || c == '\t')) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::optional<double> number_of(std::string text) {
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return percent ? value / 100 : value;
}

/// The values of a figure in a run; its node may be omitted.
std::vector<double> values_of(const BoardRun& run, const std::string& key) {
  if (key == "took") return {run.wall_seconds};
  if (key == "seed") {
    if (!run.seed) return {};
    return {static_cast<double>(*run.seed)};
  }
  std::vector<double> values;
  for (const auto& figure : run.figures)
    if (key == figure.figure || key == key_of(run, figure)) values.push_back(figure.value);
  return values;
}

bool compares(const std::string& sign, double a, double b) {
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  if (sign == "!=") return a != b;
  return a == b;
}

Matches comparison(const std::string& word, std::size_t place) {
  const std::string key = word.substr(0, place);
  std::size_t end = word.find_first_not_of("<>=!", place);
  const std::string sign = word.substr(place, end == word.npos ? end : end - place);
  const auto number = number_of(end == word.npos ? "" : word.substr(end));
  const bool known =
      sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "=" || sign == "!=";
  if (!known || key.empty() || !number)
    throw Error("'" + word + "' is no comparison; write one such as error_rate<0.05 or took>60");
  return [key, sign, value = *number](const BoardRun& run) {
    const auto values = values_of(run, key);
    return std::ranges::any_of(values, [&](double v) { return compares(sign, v, value); });
  };
}

Matches matches(std::string word) {
  if (word.size() > 1 && word.starts_with('-')) {
    return [inner = matches(word.substr(1))](const BoardRun& run) { return !inner(run); };
  }
  const std::size_t colon = word.find(':');
  if (colon != word.npos)
    if (const auto field = fields.find(lower(word.substr(0, colon))); field != fields.end())
      return [text = field->second, part = lower(word.substr(colon + 1))](const BoardRun& run) {
        return has(text(run), part);
      };
  if (const std::size_t sign = word.find_first_of("<>=!"); sign != word.npos)
    return comparison(word, sign);
  return [part = lower(std::move(word))](const BoardRun& run) {
    return has(run.name, part) || has(run.place, part) || has(tags_of(run), part) ||
           has(run.note, part) || has(run.status, part) || has(run.kind, part);
  };
}

}  // namespace

std::string key_of(const BoardRun& run, const cli::ReportedFigure& figure) {
  return run.kind == "study" ? figure.figure : figure.node + "." + figure.figure;
}

Matches run_filter(const std::string& text) {
  std::vector<Matches> all;
  for (const std::string& word : words_of(text)) all.push_back(matches(word));
  return [all = std::move(all)](const BoardRun& run) {
    return std::ranges::all_of(all, [&](const Matches& one) { return one(run); });
  };
}

void sort_runs(std::vector<const BoardRun*>& runs, std::string key) {
  const bool down = key.starts_with('-');
  if (down) key.erase(0, 1);
  const auto latest = [](const BoardRun* a, const BoardRun* b) {
    return a->started != b->started ? a->started > b->started : a->id < b->id;
  };
  if (const auto field = fields.find(key); field != fields.end()) {
    std::vector<std::pair<std::string, const BoardRun*>> keyed;
    for (const BoardRun* run : runs) keyed.emplace_back(lower(field->second(*run)), run);
    std::ranges::sort(keyed, [&](const auto& a, const auto& b) {
      if (a.first.empty() != b.first.empty()) return b.first.empty();
      if (a.first != b.first) return down ? a.first > b.first : a.first < b.first;
      return latest(a.second, b.second);
    });
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = keyed[i].second;
    return;
  }
  std::vector<std::pair<std::optional<double>, const BoardRun*>> keyed;
  bool any = runs.empty();
  for (const BoardRun* run : runs) {
    auto values = values_of(*run, key);
    std::erase_if(values, [](double v) { return std::isnan(v); });
    any = any || !values.empty();
    keyed.emplace_back(values.empty() ? std::nullopt : std::optional(values.front()), run);
  }
  if (!any && key != "took" && key != "seed") throw Error("no run has '" + key + "' to sort by");
  std::ranges::sort(keyed, [&](const auto& a, const auto& b) {
    if (a.first.has_value() != b.first.has_value()) return a.first.has_value();
    if (a.first != b.first) return down ? a.first > b.first : a.first < b.first;
    return latest(a.second, b.second);
  });
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = keyed[i].second;
}

}  // namespace semblance::board
