// SPDX-License-Identifier: MIT
#include "runtime/run/selecting.hpp"

#include <algorithm>

#include "runtime/results/others_warnings.hpp"
#include "runtime/results/unconverged.hpp"
#include "runtime/run/shared_study.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/run/variant_results.hpp"
#include "runtime/stages/run_loop.hpp"
#include "runtime/workers/shared_run.hpp"

namespace semblance {
namespace {

using Selections = std::vector<std::shared_ptr<const Selection>>;

/// All trials as one study, so that they become one graph. A single selection retains its names;
/// with several, each trial is identified by number.
Study united(const Selections& selections) {
  if (selections.size() == 1) return selections.front()->trials;
  Study all;
  const Study& first = selections.front()->trials;
  all.name = first.name;
  all.seed = first.seed;
  all.file = first.file;
  all.slots = {{"variant", {}, {}}, {"values", {}, {}}};
  for (std::size_t s = 0; s < selections.size(); ++s) {
    const Study& trials = selections[s]->trials;
    all.slots[0].alternatives.push_back(std::to_string(s + 1));
    while (all.slots[1].alternatives.size() < trials.combinations)
      all.slots[1].alternatives.push_back(std::to_string(all.slots[1].alternatives.size() + 1));
    if (trials.repeats.size() > all.repeats.size()) all.repeats = trials.repeats;
    for (StudyVariant variant : trials.variants) {
      variant.name = std::to_string(s + 1) + "," + variant.name;
      variant.choices = {s, variant.combination};
      all.variants.push_back(std::move(variant));
    }
  }
  return all;
}

SelectionRecord record_of(const Study& trials, const StudySession& open, std::size_t offset) {
  SelectionRecord record;
  record.metric = trials.metric_node + "." + trials.metric;
  record.unit = trials.unit;
  record.higher_is_better = trials.higher_is_better;
  record.folds = trials.repeats.size();
  record.numbers = rounded_numbers(trials.slots);
  for (const StudySlot& slot : trials.slots) record.parameters.push_back(slot.name);
  record.trials.resize(trials.combinations);
  for (std::size_t v = 0; v < trials.variants.size(); ++v) {
    const StudyVariant& variant = trials.variants[v];
    TrialRecord& trial = record.trials[variant.combination];
    if (trial.values.empty())
      for (std::size_t s = 0; s < trials.slots.size(); ++s)
        trial.values.push_back(trials.slots[s].alternatives[variant.choices[s]]);
    const VariantFigure figure = figure_of(variant, trials, open, offset + v);
    if (figure.value)
      trial.folds.push_back(*figure.value);
    else if (trial.failure.empty())
      trial.failure = figure.error;
  }
  return record;
}

/// With other workers, everything is first computed together; then each worker chooses separately,
/// from what is in the store.
RunOptions once_computed(const Study& trials, const Catalogue& catalogue, RunOptions options) {
  if (!options.shared) return options;
  const std::string of_part = options.part.empty() ? "" : " of " + options.part;
  work_on_study(trials, catalogue, options, "trials" + of_part, {});
  options.out = options.shared->own_folder();
  return options;
}

}  // namespace

std::vector<SelectionOutcome> choose_parameters(const Selections& selections,
                                                const Catalogue& catalogue,
                                                const RunOptions& given) {
  const Study all = united(selections);
  const RunOptions options = once_computed(all, catalogue, given);
  StudySession open(all, catalogue, options, false);
  open.prepare();
  Session& session = *open.session;
  session.execute([&] { compute_plan(session.progress(), session.data()); });
  warn_of_unconverged(session.progress());
  tell_others_warnings(session.journal(), session.ranks());
  session.journal().close_display();
  std::vector<SelectionOutcome> outcomes;
  std::size_t offset = 0;
  for (const auto& selection : selections) {
    SelectionOutcome outcome;
    SelectionRecord record = record_of(selection->trials, open, offset);
    record.leave_one_out = selection->leave_one_out;
    record.seconds = session.journal().elapsed();
    try {
      choose(record);
      outcome.record = std::move(record);
    } catch (const Error& error) {
      outcome.error = error.what();
    }
    outcomes.push_back(std::move(outcome));
    offset += selection->trials.variants.size();
  }
  return outcomes;
}

SelectionRecord choose_parameters(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                                  const RunOptions& options) {
  auto outcomes = choose_parameters({pipeline.selection}, catalogue, options);
  if (!outcomes.front().record) throw Error(outcomes.front().error);
  return *std::move(outcomes.front().record);
}

RunOptions after(RunOptions options, double seconds) {
  if (options.deadline) options.deadline = std::max(1e-3, *options.deadline - seconds);
  return options;
}

}  // namespace semblance
