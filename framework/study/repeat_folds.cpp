// SPDX-License-Identifier: MIT
#include "study/repeat_folds.hpp"

#include "semblance/error.hpp"
#include "study/combinations.hpp"
#include "study/selection.hpp"

namespace semblance {
namespace {

void set_fold(Pipeline& pipeline, const Fold& fold) {
  for (PipelineNode& node : pipeline.nodes)
    if (node.inputs.empty()) node.fold = fold;
}

/// Nests the fold of a cross-validation that a source already provides.
void put_within(Pipeline& pipeline, const Fold& outer) {
  for (PipelineNode& node : pipeline.nodes)
    if (node.inputs.empty()) node.fold.within.insert(node.fold.within.begin(), outer);
}

Fold fold_of(const Pipeline& trial) {
  for (const PipelineNode& node : trial.nodes)
    if (node.inputs.empty()) return node.fold;
  return {};
}

bool by_row(const Selection& selection) {
  return fold_of(selection.trials.variants.front().pipeline).by_row;
}

}  // namespace

std::string name_of_repeat(const std::string& seed, std::size_t fold) {
  return (seed.empty() ? "" : seed + ",") + "fold=" + std::to_string(fold + 1);
}

void hold_out(SelectingPipeline& pipeline, const Fold& fold) {
  set_fold(pipeline, fold);
  if (!pipeline.selection) return;
  auto within = std::make_shared<Selection>(*pipeline.selection);
  for (Pipeline& candidate : within->candidates) set_fold(candidate, fold);
  for (StudyVariant& trial : within->trials.variants) put_within(trial.pipeline, fold);
  pipeline.selection = std::move(within);
}

bool is_cross_validation(const Selection& selection) {
  return selection.trials.slots.empty() && selection.candidates.size() == 1;
}

Study with_folds_as_repeats(Study study) {
  const Selection& first = *study.variants.front().pipeline.selection;
  const std::size_t folds = first.trials.repeats.size();
  const std::vector<std::string> seeds = study.repeats;
  study.repeats.clear();
  for (const std::string& seed : seeds)
    for (std::size_t fold = 0; fold < folds; ++fold)
      study.repeats.push_back(first.leave_one_out ? seed : name_of_repeat(seed, fold));
  std::vector<StudyVariant> all;
  for (const StudyVariant& variant : study.variants) {
    const auto selection = variant.pipeline.selection;
    if (!selection || selection->trials.repeats != first.trials.repeats ||
        by_row(*selection) != by_row(first))
      throw Error("there are no test rows, and the variants '" + study.variants.front().name +
                  "' and '" + variant.name +
                  "' are cross-validated in different folds, which cannot be compared; give "
                  "them the same 'folds', or write repeats: {folds: 5} in the study");
    for (std::size_t fold = 0; fold < folds; ++fold) {
      // A leave-one-out trial was checked for that purpose only.
      const Pipeline& trial = selection->trials.variants[fold].pipeline;
      Fold held_out = fold_of(trial);
      held_out.repeat = true;
      StudyVariant one = variant;
      one.pipeline = {selection->leave_one_out ? trial : selection->candidates.front(), nullptr};
      set_fold(one.pipeline, held_out);
      one.repeat = variant.repeat * folds + fold;
      one.name = variant_name(
          variant.name, selection->leave_one_out ? "" : name_of_repeat("", fold), all.size() + 1);
      all.push_back(std::move(one));
    }
  }
  study.variants = std::move(all);
  return study;
}

}  // namespace semblance
