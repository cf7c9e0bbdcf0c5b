// SPDX-License-Identifier: MIT
#include "runtime/run/selecting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "runtime/loop/run_loop.hpp"
#include "runtime/results/others_warnings.hpp"
#include "runtime/results/unconverged.hpp"
#include "runtime/run/pooled_rows.hpp"
#include "runtime/run/shared_study.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/run/variant_results.hpp"
#include "runtime/workers/shared_run.hpp"

namespace semblance {
namespace {

using Selections = std::vector<std::shared_ptr<const Selection>>;

/// All trials as one study, so that they become one graph. A single selection retains its names;
/// with several, nodes are identified by numbers, and what is counted are the pipelines.
Study united(const Selections& selections, const std::vector<std::string>& names) {
  if (selections.size() == 1) return selections.front()->trials;
  Study all;
  const Study& first = selections.front()->trials;
  all.name = first.name;
  all.seed = first.seed;
  all.file = first.file;
  all.counts_repeats = false;
  all.slots = {{"variant", {}, {}}, {"values", {}, {}}};
  for (std::size_t s = 0; s < selections.size(); ++s) {
    const Study& trials = selections[s]->trials;
    all.slots[0].alternatives.push_back(std::to_string(s + 1));
    while (all.slots[1].alternatives.size() < trials.combinations)
      all.slots[1].alternatives.push_back(std::to_string(all.slots[1].alternatives.size() + 1));
    if (trials.repeats.size() > all.repeats.size()) all.repeats = trials.repeats;
    for (StudyVariant variant : trials.variants) {
      variant.name = names[s] + ": " + variant.name;
      variant.choices = {s, variant.combination};
      variant.combination = s;
      all.variants.push_back(std::move(variant));
    }
  }
  return all;
}

/// The record before any trial has run.
SelectionRecord empty_record(const Selection& selection) {
  const Study& trials = selection.trials;
  SelectionRecord record;
  record.metric = trials.metric_node + "." + trials.metric;
  record.unit = trials.unit;
  record.higher_is_better = trials.higher_is_better;
  record.folds = trials.repeats.size();
  record.halving = selection.halving;
  record.leave_one_out = selection.leave_one_out;
  record.numbers = rounded_numbers(trials.slots);
  for (const StudySlot& slot : trials.slots) record.parameters.push_back(slot.name);
  record.trials.resize(trials.combinations);
  for (const StudyVariant& variant : trials.variants) {
    auto& values = record.trials[variant.combination].values;
    if (!values.empty()) continue;
    for (std::size_t s = 0; s < trials.slots.size(); ++s)
      values.push_back(trials.slots[s].alternatives[variant.choices[s]]);
  }
  return record;
}

/// A trial on a fold: its selection, and its number among the variants of the selection's trials.
struct Task {
  std::size_t selection;
  std::size_t variant;
};

/// What runs in a round. Selections with `halving` test the trials that remain on one fold per
/// round, all others everything in the first.
std::vector<Task> tasks_of_round(const Selections& selections,
                                 const std::vector<SelectionRecord>& records, std::size_t round) {
  std::vector<Task> tasks;
  for (std::size_t s = 0; s < selections.size(); ++s) {
    const auto& variants = selections[s]->trials.variants;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const TrialRecord& trial = records[s].trials[variants[v].combination];
      const bool now = selections[s]->halving == 0
                           ? round == 0
                           : variants[v].repeat == round && trial.failure.empty() && !trial.dropped;
      if (now) tasks.push_back({s, v});
    }
  }
  return tasks;
}

std::size_t rounds_of(const Selections& selections) {
  std::size_t rounds = 1;
  for (const auto& selection : selections)
    if (selection->halving > 0) rounds = std::max(rounds, selection->trials.repeats.size());
  return rounds;
}

/// The variants of `all`, the trials of all selections one after another, that a round runs.
Study part_of(const Study& all, const Selections& selections, const std::vector<Task>& tasks) {
  std::vector<std::size_t> first;
  std::size_t count = 0;
  for (const auto& selection : selections) {
    first.push_back(count);
    count += selection->trials.variants.size();
  }
  if (tasks.size() == count) return all;
  Study part = all;
  part.variants.clear();
  for (const Task& task : tasks)
    part.variants.push_back(all.variants[first[task.selection] + task.variant]);
  return part;
}

/// With other workers, everything is first computed together; then each worker chooses separately,
/// from what is in the store.
RunOptions once_computed(const Study& trials, const Catalogue& catalogue, RunOptions options,
                         std::size_t round) {
  if (!options.shared) return options;
  const std::string of_part = options.part.empty() ? "" : " of " + options.part;
  const std::string later = round == 0 ? "" : ", fold " + std::to_string(round + 1);
  work_on_study(trials, catalogue, options, "trials" + of_part + later, {});
  options.out = options.shared->own_folder();
  return options;
}

/// Whether a warning of a trial concerns what is chosen by: not another evaluator, nor another
/// figure of the same.
bool matters(const std::string& line, const RunProgress& progress, const Selections& selections) {
  const std::size_t end = line.find(": ");
  for (std::size_t i = 0; end != line.npos && i < progress.size(); ++i) {
    const PipelineNode& node = *progress.facts(i).spec;
    if (node.name.size() != end || !line.starts_with(node.name)) continue;
    if (node.info().kind() != "evaluator") return true;
    const std::string written = node.name.substr(0, node.name.find_first_of("[#"));
    const std::string said = line.substr(end + 2, line.find(' ', end + 2) - end - 2);
    return std::ranges::any_of(selections, [&](const auto& selection) {
      const Study& trials = selection->trials;
      return trials.metric_node == written &&
             (said == trials.metric || figure_named(node.figures, said) == nullptr);
    });
  }
  return true;
}

/// The held-out samples of the trials of a selection, by combination.
struct HeldOut {
  PooledRows rows;
  std::string undefined;  ///< why a fold alone has no figure
};
using AllHeldOut = std::vector<std::map<std::size_t, HeldOut>>;

/// Adds the figure of all held-out samples of a trial so far, judged by variant `place`. The first
/// rank has the samples.
void pool(const StudyVariant& variant, const Study& trials, const StudySession& open,
          std::size_t place, const HeldOut& held_out, TrialRecord& trial) {
  const std::string unknown, undefined = "undefined";
  std::string text = unknown;
  if (held_out.rows.follows()) {
    const auto figure = held_out.rows.figure(variant, trials, open, place);
    text = figure ? fmt::format("{}", *figure) : undefined;
  }
  text = open.session->ranks().from_first(text);
  trial.pooled.reset();
  if (text != unknown && text != undefined)
    trial.pooled = std::strtod(text.c_str(), nullptr);
  else if (!held_out.undefined.empty() && trial.folds.size() == trials.repeats.size())
    trial.failure = held_out.undefined;
}

/// Adds the figures of the tasks, which have run: of each fold, and of the folds of a trial so far.
void add_figures(const std::vector<Task>& tasks, const Selections& selections,
                 const StudySession& open, AllHeldOut& held_out,
                 std::vector<SelectionRecord>& records) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    const Study& trials = selections[task.selection]->trials;
    const StudyVariant& variant = trials.variants[task.variant];
    SelectionRecord& record = records[task.selection];
    TrialRecord& trial = record.trials[variant.combination];
    const VariantFigure figure = figure_of(variant, trials, open, i);
    const bool several = record.folds > 1;
    if (figure.value || (figure.undefined && several)) {
      HeldOut& own = held_out[task.selection][variant.combination];
      trial.folds.push_back(figure.value.value_or(std::numeric_limits<double>::quiet_NaN()));
      if (own.undefined.empty()) own.undefined = figure.error;
      if (several) own.rows.add(variant, trials, open, i, figure.value);
    } else if (trial.failure.empty()) {
      trial.failure = figure.error;
    }
    const bool more = i + 1 < tasks.size() && tasks[i + 1].selection == task.selection &&
                      trials.variants[tasks[i + 1].variant].combination == variant.combination;
    if (more || !several || !trial.failure.empty()) continue;
    pool(variant, trials, open, i, held_out[task.selection][variant.combination], trial);
    if (trial.folds.size() == record.folds) held_out[task.selection].erase(variant.combination);
  }
}

/// Runs these trials and adds their figures. Returns the seconds that it took.
double run_tasks(const std::vector<Task>& tasks, const Study& part, const Selections& selections,
                 const Catalogue& catalogue, const RunOptions& options, AllHeldOut& held_out,
                 std::vector<SelectionRecord>& records) {
  StudySession open(part, catalogue, options, false);
  open.prepare();
  Session& session = *open.session;
  session.journal().count_warnings(
      [&](const std::string& line) { return matters(line, session.progress(), selections); });
  session.execute([&] { compute_plan(session.progress(), session.data()); });
  warn_of_unconverged(session.progress());
  log_others_warnings(session.journal(), session.ranks());
  session.journal().close_display();
  session.execute([&] { add_figures(tasks, selections, open, held_out, records); });
  return session.journal().elapsed();
}

}  // namespace

std::vector<SelectionOutcome> choose_parameters(const Selections& selections,
                                                const std::vector<std::string>& names,
                                                const Catalogue& catalogue,
                                                const RunOptions& given) {
  const Study all = united(selections, names);
  std::vector<SelectionRecord> records;
  for (const auto& selection : selections) records.push_back(empty_record(*selection));
  AllHeldOut held_out(selections.size());
  double seconds = 0;
  const std::size_t rounds = rounds_of(selections);
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<Task> tasks = tasks_of_round(selections, records, round);
    if (tasks.empty()) break;
    const Study part = part_of(all, selections, tasks);
    const RunOptions options = once_computed(part, catalogue, after(given, seconds), round);
    seconds += run_tasks(tasks, part, selections, catalogue, options, held_out, records);
    for (SelectionRecord& record : records)
      if (record.halving > 0 && round + 1 < record.folds) drop_trials(record);
  }
  std::vector<SelectionOutcome> outcomes;
  for (SelectionRecord& record : records) {
    SelectionOutcome outcome;
    record.seconds = seconds;
    try {
      choose(record);
      outcome.record = std::move(record);
    } catch (const Error& error) {
      outcome.error = error.what();
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

SelectionRecord choose_parameters(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                                  const RunOptions& options) {
  auto outcomes = choose_parameters({pipeline.selection}, {}, catalogue, options);
  if (!outcomes.front().record) throw Error(outcomes.front().error);
  return *std::move(outcomes.front().record);
}

RunOptions after(RunOptions options, double seconds) {
  if (options.deadline) options.deadline = std::max(1e-3, *options.deadline - seconds);
  return options;
}

std::string stopped_text(const std::string& stopper, const RunOptions& options,
                         const std::string& doing) {
  return "stopped by " + stopper +
         (options.shared
              ? "; finished work is kept, other workers continue, and the same command "
                "joins again"
              : " while " + doing + "; finished work is kept, and the same command continues it");
}

}  // namespace semblance
