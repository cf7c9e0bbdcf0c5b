// SPDX-License-Identifier: MIT
#include "runtime/run/cross_validated.hpp"

#include <algorithm>

#include "runtime/graph/compilation.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/session/compile.hpp"
#include "runtime/store/input_files.hpp"
#include "study/merge.hpp"
#include "study/repeat_folds.hpp"
#include "study/selection.hpp"

namespace semblance {
namespace {

/// Which variants are evaluated on test samples although there are none; unknown for variants that
/// cannot be prepared.
class IdleMetrics {
 public:
  IdleMetrics(const Study& study, const Catalogue& catalogue, const RunOptions& options)
      : study_(study),
        catalogue_(catalogue),
        arena_(1),
        services_{stop_,
                  arena_,
                  1,
                  [](LogLevel, const std::string&) {},
                  [](const std::string&, double, double) {},
                  [memory = options.memory] { return memory; }} {
    for (StudyVariant& variant : study_.variants)
      if (const auto selection = variant.pipeline.selection)
        variant.pipeline = {selection->candidates.front(), nullptr};
  }

  std::vector<char> find() {
    std::vector<char> all(study_.variants.size(), 1), idle(study_.variants.size(), 0);
    if (look_at(all, idle)) return idle;
    for (std::size_t v = 0; v < all.size(); ++v) {
      std::vector<char> one(all.size(), 0);
      one[v] = 1;
      look_at(one, idle);
    }
    return idle;
  }

 private:
  /// False: one of them cannot be prepared.
  bool look_at(const std::vector<char>& variants, std::vector<char>& idle) {
    try {
      const MergedStudy merged = merge(study_, variants, catalogue_);
      InputFiles files;
      const Compilation graph = compile(merged.pipeline, catalogue_, services_, files);
      for (std::size_t v = 0; v < variants.size(); ++v)
        if (variants[v] != 0) idle[v] = graph.facts(metric_place(merged, v)).lacks_test_rows();
      return true;
    } catch (const NodeError&) {
      return false;  // it is reported when the study is prepared
    }
  }

  std::size_t metric_place(const MergedStudy& merged, std::size_t v) const {
    const auto& nodes = study_.variants[v].pipeline.nodes;
    const auto at = std::ranges::find(nodes, study_.metric_node, &PipelineNode::name);
    return merged.places[v][static_cast<std::size_t>(at - nodes.begin())];
  }

  Study study_;
  const Catalogue& catalogue_;
  StopSwitch stop_;
  tbb::task_arena arena_;
  RunServices services_;
};

}  // namespace

Study judged_study(const Study& study, const Catalogue& catalogue, const RunOptions& options) {
  const auto selects = [](const StudyVariant& v) { return v.pipeline.selection != nullptr; };
  if (std::ranges::none_of(study.variants, selects)) return study;
  const auto idle = IdleMetrics(study, catalogue, options).find();
  const auto first = std::ranges::find(idle, 1);
  if (first == idle.end()) return study;
  const std::string name = study.variants[static_cast<std::size_t>(first - idle.begin())].name;
  if (const auto other = std::ranges::find(idle, 0); other != idle.end())
    throw Error("variant '" + name + "' has no test rows, but '" +
                study.variants[static_cast<std::size_t>(other - idle.begin())].name +
                "' has some, so they cannot be compared; give both test rows, or write repeats: "
                "{folds: 5} in the study, which holds out training rows of both");
  for (const StudyVariant& variant : study.variants)
    if (!selects(variant) || !is_cross_validation(*variant.pipeline.selection))
      throw Error(
          "variant '" + variant.name + "' has no test rows to be judged on" +
          (selects(variant) ? ", and the figures of the folds on which its 'select' chooses "
                              "parameters are those of the best choice, hence too good"
                            : "") +
          "; write repeats: {folds: 5} in the study: each fold is held out once" +
          (selects(variant) ? ", and parameters are chosen on folds of the remaining rows" : ""));
  return with_folds_as_repeats(study);
}

}  // namespace semblance
