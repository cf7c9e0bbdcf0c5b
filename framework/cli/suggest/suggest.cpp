// SPDX-License-Identifier: MIT
#include "cli/suggest/suggest.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/output.hpp"
#include "cli/runs/run_history.hpp"
#include "registry/places.hpp"
#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/services/crash_report.hpp"
#include "runtime/sources/shared_data.hpp"
#include "support/files/atomic_file.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

/// All methods and splits read the data once where they fit into this part of the memory.
constexpr std::size_t part_for_data = 16;

/// It comes with the Python package, and has solver/sklearn.
constexpr const char* sklearn_plugin = "sklearn_solver.py";

/// Writes the pipelines for further use: with all samples.
void write_pipelines(const SuggestTask& task, const fs::path& folder) {
  make_output_folder(folder);
  for (const Candidate& candidate : candidates(task.reading, task.reading.node))
    write_file_atomically(folder / (candidate.name + ".yaml"), candidate.text);
}

/// What the figure of the best method is to be compared with, or means.
std::string trivial_text(const SuggestTask& task, const DataFacts& facts) {
  const DataReading& reading = task.reading;
  if (reading.novelty && reading.normal.empty())
    return "rows of shuffled columns count as novel (chance has an auc of 50 %)";
  if (reading.novelty) return "those of other classes than '" + reading.normal + "' are novel";
  if (!task.counts_errors()) return "";
  return facts.classes.empty()
             ? fmt::format("always predicting the mean has {:.4g}", facts.trivial_error())
             : fmt::format("always predicting the largest class makes {:.2f} %",
                           100 * facts.trivial_error());
}

void write_results(SearchResult& outcome, const SuggestTask& task, const DataFacts& facts,
                   const fs::path& out) {
  StudyRecord& study = outcome.found.study;
  study.run.pipeline = "suggest: " + task.data.filename().string();
  study.run.description = advice(outcome.found, trivial_text(task, facts));
  if (task.reading.novelty) study.run.description += " " + false_alarms_text(outcome.found);
  if (task.reading.novelty && task.reading.normal.empty())
    study.run.description +=
        " Without labels it is not known whether these are the rows that you look for: look at "
        "some, and name classes with --label and --normal once you know.";
  write_metrics(study.run, out / "metrics.json");
  write_file_atomically(out / "study.json",
                        readable_json(result_table_json(study.results, study.run.pipeline)));
  write_file_atomically(out / "suggestion.json", readable_json(suggestion_json(outcome.found)));
  write_file_atomically(out / "suggestion.txt", suggestion_text(outcome.found));
  write_tables(study.results, study.comparison, out);
  write_html_study_report(study, out / "report.html");
}

void print_facts(const SuggestTask& task, const DataFacts& facts) {
  const auto rows = static_cast<double>(facts.rows), fraction = test_fraction(task, facts);
  const bool ragged = facts.layout.ragged();
  fmt::print(
      "{}: {} rows{}{}{}; {} splits, each about {} rows to train on and {} to test on\n",
      task.data.string(), count_text(static_cast<std::int64_t>(facts.rows)),
      ragged ? "" : " of " + count_text(static_cast<std::int64_t>(facts.layout.size())) + " values",
      facts.classes.empty() ? "" : fmt::format(" in {} classes", facts.classes.size()),
      ragged ? ", each a " + describe(facts.layout) : "", task.splits,
      count_text(std::llround((1 - fraction) * rows)), count_text(std::llround(fraction * rows)));
  for (const std::string& remark : facts.remarks) fmt::print("{}\n", remark);
  if (fraction > usual_test_fraction)
    fmt::print("a first look: the training rows are drawn{}, at most --rows {}\n",
               facts.classes.empty() ? "" : " from each class in proportion", task.rows);
}

void print_advice(const SearchResult& outcome, const DataFacts& facts, const SuggestTask& task,
                  const fs::path& out) {
  const auto& names = outcome.found.study.slots.front().alternatives;
  const std::size_t best = best_method(outcome.found);
  if (task.counts_errors() &&
      outcome.found.study.comparison.standings[best].mean >= facts.trivial_error())
    fmt::print("none is better than always predicting the {}\n",
               facts.classes.empty() ? "mean" : "largest class");
  fmt::print("{}\n", outcome.found.study.run.description);
  const fs::path model = out / names[best];
  const std::string plugin =
      task.reading.beside.empty() ? "" : fmt::format(" --plugin-path {}", sklearn_plugin);
  fmt::print("train it:  {0} run {1} --out {2}{4}\nthen:      {0} predict {3} NEW_DATA{4}\n",
             called_program(), quoted((out / "pipelines" / (names[best] + ".yaml")).string()),
             quoted(model.string()), quoted((model / "model").string()), plugin);
  fmt::print("report:    {}\n", (out / "report.html").string());
}

void print_problems(const SearchResult& outcome) {
  for (const std::string& failure : outcome.failed) fmt::print(stderr, "semblance: {}\n", failure);
  if (outcome.unfinished.empty()) return;
  fmt::print(
      stderr,
      "semblance: stopped before the end of {}; allow more time, or fewer --rows or --splits\n",
      fmt::join(outcome.unfinished, ", "));
}

}  // namespace

int suggest_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("suggest");
  options::options_description described(
      "DATA is a text table, Weka's .arff, LIBSVM's sparse text, a NumPy array, an HDF5 file,\n"
      "series (.ts, NAME_TRAIN.tsv, or a folder with NAME_TRAIN and NAME_TEST, of which the first\n"
      "is used), FASTA, a table of labels and texts, graphs (JSON lines, or TUDataset's folder or\n"
      "archive), molecules (a table with a column of SMILES, or SDF), or a folder or archive of\n"
      "pictures with one sub-folder per class. Each method's parameters are chosen by\n"
      "cross-validation on the training rows of a split; its error is measured on the test rows.\n"
      "\noptions",
      100);
  add_suggest_options(described);
  add_pipeline_options(described);
  add_run_options(described);
  described.add_options()(
      "cache", options::value<std::string>()->value_name("DIR"),
      "the folder for temporary files of rows that do not fit into memory (default: "
      "$SEMBLANCE_CACHE, else the user's cache folder)")(
      "no-cache", "has no effect: suggest never uses the artifact store");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  SuggestTask task = suggest_task(*values, verb);
  RunOptions settings = run_options(*values);
  settings.use_cache = false;  // computing a thousand small artifacts again is faster than storing
                               // them
  settings.shared_data = std::make_shared<SharedData>(settings.memory / part_for_data);
  std::vector<std::string> plugins = option_texts(*values, "plugin-path");
  if (!task.reading.beside.empty()) plugins.emplace_back(sklearn_plugin);
  Discovery found = semblance::discover(plugins);
  if (!settings.quiet) found = reported(std::move(found));
  const auto all = candidates(task.reading, task.reading.node);
  const auto first = checked_candidate(all.front(), task, found.catalogue);
  if (!first) return wrong_usage;
  const DataFacts facts =
      data_facts(task, first->variants.front().pipeline, found.catalogue, settings);
  if (facts.layout.shape.node_attributes > 0) prefer_attributes(task.reading);
  const bool json = values->count("json") > 0, out_was_given = !settings.out.empty();
  const bool prints = !json && !settings.quiet;
  if (prints) print_facts(task, facts);
  if (!out_was_given) settings.out = default_output("suggest");
  settings.command = repeat_command("suggest", arguments);
  stop_on_interrupt();
  report_crashes();
  write_pipelines(task, settings.out / "pipelines");
  RunHistory history("study", "suggest: " + task.data.filename().string(), first->seed, settings,
                     out_was_given);
  auto outcome = try_candidates(task, facts, found.catalogue, settings);
  if (!outcome) return wrong_usage;
  print_problems(*outcome);
  if (outcome->found.costs.empty()) return failed;
  write_results(*outcome, task, facts, settings.out);
  history.ended(outcome->end == RunEnd::done, settings.out);
  if (json) {
    fmt::print("{}", readable_json(suggestion_json(outcome->found)));
  } else if (prints) {
    fmt::print("\n{}", suggestion_text(outcome->found));
    print_advice(*outcome, facts, task, settings.out);
  }
  return outcome->end == RunEnd::done && outcome->failed.empty() ? done : failed;
}

}  // namespace semblance::cli
