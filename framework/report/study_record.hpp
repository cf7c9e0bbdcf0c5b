// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"

namespace semblance {

/// A place of the pipeline that a study varies, and the alternatives for it.
struct SlotRecord {
  std::string name;
  std::vector<std::string> alternatives;
};

/// One pipeline of a study: a combination of alternatives, at one repeat.
struct VariantRecord {
  std::string name;                  ///< also the name of its folder below OUT/variants
  std::vector<std::size_t> choices;  ///< index of the alternative, one per slot
  std::size_t repeat = 0;            ///< index into StudyRecord::repeats
  std::string error;                 ///< why it failed; empty otherwise
  bool finished = false;
  std::optional<SelectionRecord> selection;  ///< how its parameters were chosen
  std::vector<NodeRecord> nodes;  ///< of its pipeline; shared nodes appear in several variants
};

/// The comparison and the choice of one step of a study.
struct StepRecord {
  std::string name;
  SelectionRecord choice;
  ResultTable results;  ///< one method per combination of the step, one block per repeat
  Comparison comparison;
};

/// The complete record of a study: the content of study.json and its report.
struct StudyRecord {
  RunRecord run;  ///< the merged graph: its nodes, times, files, command, warnings
  std::vector<SlotRecord> slots;
  std::vector<std::string> repeats;  ///< at least one; "" is allowed as the only one
  std::string metric_node;           ///< "test"
  std::size_t nodes_before = 0;      ///< of all variants, unshared
  std::size_t nodes_after = 0;       ///< of the merged graph
  std::vector<VariantRecord> variants;
  ResultTable results;    ///< one method per combination, one block per repeat
  Comparison comparison;  ///< of results
  /// The steps of a study in steps. `run` is then the last step's, with the total time, and the
  /// results have the methods of all steps, each compared within its step.
  std::vector<StepRecord> steps;
};

}  // namespace semblance
