// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/runs/compared_table.hpp"
#include "cli/verb.hpp"
#include "registry/figures.hpp"
#include "report/tables/comparison.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"
#include "support/figure_text.hpp"
#include "support/terminal.hpp"

namespace semblance::cli {
namespace {

void choose_baseline(ResultTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.methods, name, &Method::name);
  if (found == table.methods.end()) {
    std::string known;
    for (const Method& method : table.methods) known += "\n  " + method.name;
    throw UsageError("--baseline: unknown method '" + name + "'; choose from:" + known);
  }
  table.baseline = static_cast<std::size_t>(found - table.methods.begin());
}

/// "a,b": the names between commas; none of an empty text.
std::vector<std::string> separated(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

Better direction(const std::string& word) {
  if (word.empty()) return Better::none;
  if (const auto named = direction_named(word)) return *named;
  throw UsageError("--better takes lower or higher, not '" + word + "'");
}

/// What `suggest` found in its folders: "suggested for iris.csv: rbf, error_rate 2.10%".
void print_suggestions(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    const std::string name = suggested_data(folder);
    if (name.empty()) continue;
    for (const ReportedFigure& best : headline_figures(read_results(folder)))
      fmt::print("suggested for {}: {}, {} {}\n", name, best.node, best.figure,
                 figure_text(best.unit, best.value));
  }
}

}  // namespace

int compare_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("compare");
  options::options_description described(
      "Each DIR is the folder of a run (each of its evaluators counts) or of a study. Runs of the\n"
      "same pipeline with different seeds are repeats of one method.\n\n"
      "options",
      100);
  described.add_options()(
      "metric", takes("[NODE.]FIGURE"),
      "the figure to compare, such as test.error_rate or svm.train_seconds: any that was "
      "recorded (default: a study's metric, the headline figure of runs, preferring an error to "
      "an accuracy)")("better", takes("lower|higher"),
                      "which of two values is better, if the figure's declaration does not say")(
      "baseline", takes("NAME"),
      "the method to test the others against (default: the study's, or the first run)")(
      "columns", takes("NAME,..."),
      "the columns to show, by heading or name in table.csv, in this order; table.csv has all "
      "(default: those with content)")(
      "out", takes("DIR"),
      "write table.csv, table.md and table.tex there (default: only print the table)");
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  if (!values->count("argument"))
    throw UsageError(std::string("a folder is missing; usage: semblance compare ") +
                     verb.arguments);
  std::vector<std::filesystem::path> folders;
  for (const auto& folder : option_texts(*values, "argument")) folders.emplace_back(folder);
  ResultTable table = compared_table(folders, option_text(*values, "metric"),
                                     direction(option_text(*values, "better")));
  if (values->count("baseline")) choose_baseline(table, option_text(*values, "baseline"));
  const Comparison comparison = compare(table);
  const std::vector<std::string> columns = separated(option_text(*values, "columns"));
  try {
    shown_layout(table_layout(table, comparison), columns);
  } catch (const Error& unknown) {
    throw UsageError(std::string("--columns: ") + unknown.what());
  }
  fmt::print("{}", table_plain(table, comparison, table_width(), columns));
  print_suggestions(folders);
  if (values->count("out"))
    for (const auto& file : write_tables(table, comparison, option_text(*values, "out"), columns))
      fmt::print("written: {}\n", file.string());
  return done;
}

}  // namespace semblance::cli
