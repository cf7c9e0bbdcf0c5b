// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "pipeline/specification/overrides.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"

namespace semblance {

/// The changes of one alternative to the pipeline.
struct Alternative {
  std::string name;
  std::vector<Override> changes;  ///< in the order written
  std::vector<YamlNode> bypass;   ///< nodes whose consumers take the node's own input instead
  std::vector<YamlNode> drop;     ///< nodes that are removed from the lists they feed
  std::string value;              ///< the number that the name rounds; empty: it rounds none
  std::size_t only_with = 0;      ///< in a slot with a parent: the parent's alternative
};

/// The alternative of a slot that does not exist with the chosen alternative of its parent.
inline Alternative no_alternative() {
  Alternative none;
  none.only_with = static_cast<std::size_t>(-1);
  return none;
}

/// A place of the pipeline with its alternatives. A slot that is written inside alternatives of
/// another slot, its parent, exists only with these; its last alternative, without a name and
/// changes, then stands for its absence.
struct Slot {
  std::string name;
  Place place;
  std::vector<Alternative> alternatives;
  std::optional<std::size_t> parent = {};  ///< an earlier slot
};

/// Alternatives of some slots, as filters name them: the matching indices by slot.
struct Selector {
  Place place;
  std::vector<std::set<std::size_t>> wanted;  ///< one per slot; empty: any
};

/// One repeat of every combination.
struct Repeat {
  std::string name;                   ///< "seed=2"; empty when there is only one
  std::optional<std::uint64_t> seed;  ///< replaces the pipeline's
  std::vector<Override> changes;
  std::size_t fold = 0;  ///< the held-out one of `folds` or `repeat_folds`
};

/// A step of a study: what it varies, and its additional changes.
struct Step {
  std::string name;
  Place place;
  std::vector<std::size_t> slots;  ///< indices; at least one
  double within = 0;    ///< by how much the choice may be worse, as a share of the best mean
  Alternative changes;  ///< made only in this step, before the slots' alternatives
};

/// A figure that is shown beside the metric.
struct FurtherMetric {
  std::string node;
  std::string figure;
  Place place;
};

/// `study:` or `select:`, as written.
struct StudySpecification {
  std::optional<YamlNode> pipeline;  ///< the file that has the nodes
  std::string metric_node;
  std::string metric;
  Place metric_place;
  std::vector<FurtherMetric> further;  ///< in a list, all after the first
  Better better = Better::none;        ///< none: according to the metric's declaration
  Place better_place;
  std::vector<Slot> slots;
  Alternative changes;  ///< made before those of the slots: a step's
  std::optional<std::vector<std::vector<std::size_t>>> listed;  ///< combinations; otherwise the
                                                                ///< product
  std::optional<Place> one_at_a_time;  ///< where `combine` says so: the baseline and each change
                                       ///< of one slot
  std::vector<Selector> only;
  std::vector<Selector> exclude;
  std::vector<Repeat> repeats;   ///< at least one
  std::size_t repeat_folds = 0;  ///< each repeat of a study holds out one of this many folds
  std::optional<Selector> baseline;
  std::optional<std::size_t> over;  ///< the slot over whose alternatives methods are compared
  std::vector<Step> steps;          ///< in order; none: all at once
  std::size_t folds = 0;            ///< of `select`; the repeats are the folds then
  bool leave_one_out = false;       ///< `folds: leave_one_out`: a single repeat leaves out each
                                    ///< sample
  std::size_t halving =
      0;  ///< of `select`: the divisor of the number of trials after a fold; 0: none
  FoldsBy folds_by = FoldsBy::data;
  Place folds_place;
  Place place;
};

/// The study of one step: its slots after those of earlier steps, and its changes.
StudySpecification of_step(const StudySpecification& study, std::size_t step);

/// Reads `study:`; errors are reported. `seed` is the pipeline's.
StudySpecification read_study(const YamlEntry& entry, std::uint64_t seed, Problems& problems);

/// Reads `select:` in the same way; its parameters are the slots.
StudySpecification read_selection(const YamlEntry& entry, Problems& problems);

}  // namespace semblance
