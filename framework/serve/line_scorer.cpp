// SPDX-License-Identifier: MIT
#include "serve/line_scorer.hpp"

#include <utility>

#include "semblance_tables/text_lines.hpp"

namespace semblance::serving {
namespace {

/// Whether a first line names the columns, and cannot be a row.
bool names_columns(RowLines& lines, std::string_view line) {
  try {
    return lines.is_header(line);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

LineScorer::LineScorer(const ServedModel& model, const LineOptions& options)
    : model_(model),
      options_(options),
      answers_(model),
      csv_(model.csv_lines()),
      json_(model.row(), model.row_texts()),
      values_(model.row_layout().size()),
      libsvm_(options.first_index),
      rows_(model.row_layout()) {
  if (options.form == Form::libsvm && model.of_pairs()) refuse_numbers();
  if (model.judges_requests())
    throw Error("node " + in_quotes(model.node()) +
                " judges all rows of a batch together, not line by line; give them as a file: "
                "semblance predict MODEL DATA");
  if (options.json) return;
  for (const std::string& name : model.classes())
    if (name.find_first_of("\r\n") != std::string::npos)
      throw Error("the class " + in_quotes(name) +
                  " has a line break in its name, so an answer would be more than a line; use "
                  "--json");
    else if (model.gives_sets() && !options.scores && name.find(" | ") != std::string::npos)
      throw Error("the class " + in_quotes(name) +
                  " has ' | ' in its name, which separates the classes of a set; use --json or "
                  "--scores");
}

std::string LineScorer::heading() const {
  std::string text;
  if (options_.scores && !options_.json) answers_.append_csv_header(text);
  return text;
}

void LineScorer::read(std::string_view line, bool first) {
  switch (options_.form) {
    case Form::json:
      return json_.read_row(line, rows_);
    case Form::libsvm:
      return libsvm_.read_row(line, rows_);
    case Form::csv:
      break;
  }
  if (first && !options_.header && names_columns(*csv_, line))
    throw Error("looks like a header; if it is one, say so with --header");
  csv_->read_row(line, values_);
  rows_.add(values_);
}

void LineScorer::add(std::string_view line) {
  const bool first = ++lines_ == 1;
  const std::size_t before = rows_.rows();
  const bool csv = options_.form == Form::csv;
  const bool is_header = csv && options_.header && !begun_;
  try {
    if (first) line_end_of(line);
    line = checked_line(line, first);
    if (csv && !begun_ && csv_->is_preamble(line)) return;
    const bool first_row = !std::exchange(begun_, true);
    if (is_header)
      csv_->read_header(line);
    else
      read(line, first_row);
  } catch (const Error& problem) {
    // A line can have an error after its row.
    rows_.keep(before);
    const std::string text = "line " + std::to_string(lines_) + ": " + problem.what();
    // Nothing can be read after a faulty header.
    if (!options_.keeps_going || is_header) throw Error(text);
    problems_.push_back(text);
    any_wrong_ = true;
  }
  if (!is_header) is_row_.push_back(rows_.rows() > before ? 1 : 0);
}

void LineScorer::answer(std::string& text) {
  scores_.rows = rows_.rows();
  scores_.cols = model_.values();
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
