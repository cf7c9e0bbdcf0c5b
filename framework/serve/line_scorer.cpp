// SPDX-License-Identifier: MIT
#include "serve/line_scorer.hpp"

#include <utility>

#include "serve/rows/json_rows.hpp"

namespace semblance::serving {

LineScorer::LineScorer(const ServedModel& model, const LineOptions& options)
    : model_(model),
      options_(options),
      answers_(model.classes()),
      csv_(model.columns(), model.layout().size(), model.layout().kind == LayoutKind::sparse),
      libsvm_(options.first_index),
      rows_(model.layout()) {
  if (options.json) return;
  for (const std::string& name : model.classes())
    if (name.find_first_of("\r\n") != std::string::npos)
      throw Error("the class " + in_quotes(name) +
                  " has a line break in its name, so an answer would be more than a line; use "
                  "--json");
}

std::string LineScorer::heading() const {
  std::string text;
  if (options_.scores && !options_.json) answers_.append_csv_header(text);
  return text;
}

void LineScorer::read(std::string_view line) {
  switch (options_.form) {
    case Form::json:
      read_json_row(line, model_.columns(), rows_);
      break;
    case Form::libsvm:
      libsvm_.read_row(line, rows_);
      break;
    default:
      csv_.read_row(line, rows_);
  }
}

void LineScorer::add(std::string_view line) {
  if (++lines_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t before = rows_.rows();
  const bool is_header = lines_ == 1 && options_.header && options_.form == Form::csv;
  try {
    if (is_header)
      csv_.read_header(line);
    else
      read(line);
  } catch (const Error& problem) {
    // A line can be wrong behind its row.
    rows_.keep(before);
    const std::string text = "line " + std::to_string(lines_) + ": " + problem.what();
    // Nothing can be read after a header that is wrong.
    if (!options_.keeps_going || is_header) throw Error(text);
    problems_.push_back(text);
    any_wrong_ = true;
  }
  if (!is_header) is_row_.push_back(rows_.rows() > before ? 1 : 0);
}

void LineScorer::answer(std::string& text) {
  scores_.rows = rows_.rows();
  scores_.cols = model_.classes().size();
  scores_.values.resize(scores_.rows * scores_.cols);
  if (scores_.rows > 0) model_.score(rows_.view(), scores_.view());
  std::size_t row = 0;
  for (const char given : is_row_) {
    if (given == 0) {
      text += options_.json ? "null\n" : "\n";
      continue;
    }
    const auto scores = std::as_const(scores_).view().row_span(row++);
    if (options_.json) {
      answers_.append_json(text, scores, options_.scores);
      text += '\n';
    } else {
      answers_.append_csv(text, scores, options_.scores);
    }
  }
  rows_.clear();
  is_row_.clear();
}

std::vector<std::string> LineScorer::problems() { return std::exchange(problems_, {}); }

}  // namespace semblance::serving
