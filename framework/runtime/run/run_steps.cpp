// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/run/run_study.hpp"
#include "runtime/run/selecting.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/workers/shared_run.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {
namespace {

/// The trials of the step, not yet with a choice.
SelectionRecord trials_of(const Study& study, const StudyRecord& record, double within) {
  SelectionRecord made;
  made.metric = study.metric_node + "." + study.metric;
  made.unit = study.unit;
  made.higher_is_better = study.higher_is_better;
  made.folds = record.results.blocks.size();
  made.repeats = record.results.blocks;
  if (made.folds == 1 && made.repeats.front().empty()) made.repeats = {study.metric};
  made.within = within;
  made.numbers = record.results.numbers;
  for (const StudySlot& slot : study.slots) made.parameters.push_back(slot.name);
  for (const Method& method : record.results.methods) {
    TrialRecord trial;
    trial.values = method.choices;
    for (const Measurement& m : method.measurements) {
      trial.folds.push_back(m.value);
      if (trial.failure.empty()) trial.failure = m.error;
    }
    made.trials.push_back(std::move(trial));
  }
  made.seconds = record.run.wall_seconds;
  return made;
}

/// The index of the chosen alternative of each slot.
std::vector<std::size_t> chosen_alternatives(const Study& study, const SelectionRecord& choice) {
  const auto found = std::ranges::find(study.variants, choice.chosen, &StudyVariant::combination);
  return found->choices;
}

/// Adds the steps so far to one table: a column for the step and one for every slot.
void add_results(const Study& study, StudyRecord& whole) {
  ResultTable& table = whole.results;
  table.slots = {"step"};
  for (const StudySlot& slot : study.steps.back().study.slots) table.slots.push_back(slot.name);
  const StepRecord& step = whole.steps.back();
  table.metric = step.results.metric;
  table.unit = step.results.unit;
  table.higher_is_better = step.results.higher_is_better;
  table.further = step.results.further;
  table.node = step.results.node;
  table.blocks = step.results.blocks;
  table.numbers.insert(step.results.numbers.begin(), step.results.numbers.end());
  std::vector<std::string> before = {step.name};
  for (std::size_t s = 0; s + 1 < whole.steps.size(); ++s) {
    const SelectionRecord& choice = whole.steps[s].choice;
    const auto& values = choice.trials[choice.chosen].values;
    before.insert(before.end(), values.begin(), values.end());
  }
  for (Method method : step.results.methods) {
    method.name = step.name + ": " + method.name;
    method.choices.insert(method.choices.begin(), before.begin(), before.end());
    method.choices.resize(table.slots.size());
    for (Measurement& measurement : method.measurements)
      for (std::string& folder : measurement.folders) folder.insert(0, "steps/" + step.name + "/");
    table.methods.push_back(std::move(method));
  }
  const auto& standings = step.comparison.standings;
  whole.comparison.standings.insert(whole.comparison.standings.end(), standings.begin(),
                                    standings.end());
  for (Standing& standing : whole.comparison.standings) standing.average_rank.reset();
  whole.comparison.relation = step.comparison.relation;
}

void write_steps(const StudyRecord& record, const std::filesystem::path& out) {
  auto json = study_json(record.results, record.comparison, record.run.pipeline);
  json["steps"] = nlohmann::ordered_json::array();
  for (const StepRecord& step : record.steps) {
    nlohmann::ordered_json entry = {{"step", step.name}};
    entry.update(selection_json(step.choice));
    json["steps"].push_back(std::move(entry));
  }
  if (!record.run.stopped_by.empty()) json["stopped_by"] = record.run.stopped_by;
  write_tables(record.results, record.comparison, out);
  write_html_steps_report(record, out / "report.html");
  write_file_atomically(out / "study.json", readable_json(json));
}

/// Runs the steps one after another.
class Walk {
 public:
  Walk(const Study& study, const Catalogue& catalogue, const RunOptions& options, bool fail_fast)
      : study_(study), catalogue_(catalogue), options_(options), fail_fast_(fail_fast) {}

  StudyResult run() {
    if (options_.shared) {
      make_output_folder(options_.out);
      return walk();
    }
    const RunOptions given = options_;
    OutputFolder folder(given);
    options_.out = folder.place();
    write_file_atomically(options_.out / "study.yaml", study_.text);
    StudyResult result = walk();
    result.place = settled(folder, result.end == RunEnd::done, given);
    return result;
  }

 private:
  StudyResult walk() {
    for (const StudyStep& step : study_.steps) {
      Study part = after_choice(step, choice_);
      part.text = study_.text;
      const StudyResult done = tried(part, step.name);
      if (done.end != RunEnd::done || !choose_next(step, part, done.record)) break;
    }
    write_results();
    if (!failure_.empty()) throw Error(failure_);
    return std::move(whole_);
  }

  /// Writes the results so far where a step cannot be run.
  StudyResult tried(const Study& part, const std::string& name) {
    try {
      return run_part(part, name);
    } catch (const Error&) {
      tell(options_, LogLevel::info, "step " + name + " failed");
      whole_.record.run.stopped_by = "step " + name + ", which failed";
      write_results();
      throw;
    }
  }

  /// With several workers, one writes, when all steps are done.
  void write_results() {
    if (whole_.record.steps.empty()) return;
    if (!options_.shared) return write_steps(whole_.record, options_.out);
    if (whole_.end != RunEnd::done) return;
    const StopSwitch stop({}, options_.cancel);
    const auto lease = options_.shared->results_lease(
        "all steps", [&] { return stop.reason() != StopReason::none; });
    if (!lease) return;
    write_file_atomically(options_.out / "study.yaml", study_.text);
    write_steps(whole_.record, options_.out);
    options_.shared->results_are_written("all steps");
  }

  StudyResult run_part(const Study& part, const std::string& name) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    RunOptions options = after(options_, spent.count());
    options.out = options_.out / "steps" / name;
    options.part = "step " + name;
    // From here on the folder has steps that the former results do not include.
    std::error_code none;
    if (options.shared && !options.shared->has_results(options.part))
      std::filesystem::remove(options_.out / "study.json", none);
    StudyResult done = run_study(part, catalogue_, options, fail_fast_, true);
    whole_.failed += done.failed;
    whole_.end = done.end;
    const std::size_t peak = whole_.record.run.peak_memory_bytes;
    StudyRecord& record = whole_.record;
    record.run = done.record.run;
    record.run.peak_memory_bytes = std::max(peak, record.run.peak_memory_bytes);
    const std::chrono::duration<double> now = std::chrono::steady_clock::now() - begin_;
    record.run.wall_seconds = now.count();
    record.metric_node = study_.metric_node;
    record.repeats = done.record.repeats;
    record.nodes_before += done.record.nodes_before;
    record.nodes_after += done.record.nodes_after;
    for (VariantRecord& variant : done.record.variants) {
      variant.name.insert(0, name + ": ");
      record.variants.push_back(variant);
    }
    return done;
  }

  /// False: no choice is possible.
  bool choose_next(const StudyStep& step, const Study& part, const StudyRecord& record) {
    SelectionRecord choice = trials_of(part, record, step.within);
    try {
      choose(choice);
    } catch (const Error&) {
      failure_ = "step " + step.name + ": nothing to choose from, every combination failed: " +
                 choice.trials.front().failure;
      whole_.record.run.stopped_by = "step " + step.name + ", which failed";
      return false;
    }
    const auto chosen = chosen_alternatives(part, choice);
    choice_.insert(choice_.end(), chosen.begin(), chosen.end());
    if (!options_.quiet)
      tell(options_, LogLevel::info,
           "step " + step.name + ": " + values_text(choice, choice.trials[choice.chosen]));
    whole_.record.steps.push_back(
        {step.name, std::move(choice), record.results, record.comparison});
    add_results(study_, whole_.record);
    return true;
  }

  const Study& study_;
  const Catalogue& catalogue_;
  RunOptions options_;
  bool fail_fast_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<std::size_t> choice_;  // of all slots so far
  std::string failure_;
  StudyResult whole_;
};

}  // namespace

StudyResult run_steps(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast) {
  return Walk(study, catalogue, options, fail_fast).run();
}

}  // namespace semblance
