// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/check_options.hpp"
#include "pipeline/yaml/diagnostic.hpp"
#include "study/selecting_pipeline.hpp"

namespace semblance {

/// A slot and the names of its alternatives.
struct StudySlot {
  std::string name;
  std::vector<std::string> alternatives;
  /// The numbers that names of alternatives round, by name; names that round nothing are missing.
  std::map<std::string, std::string> numbers;
};

/// The numbers of all slots that have any, by slot.
std::map<std::string, std::map<std::string, std::string>> rounded_numbers(
    const std::vector<StudySlot>& slots);

/// One pipeline of a study.
struct StudyVariant {
  std::string name;                  ///< "features=zscore,C=1,seed=2": fit for a folder
  std::vector<std::size_t> choices;  ///< index of the alternative, one per slot
  std::size_t combination = 0;       ///< variants of one combination differ in the repeat only
  std::size_t repeat = 0;
  SelectingPipeline pipeline;
};

/// A figure that is shown beside the compared one.
struct StudyFigure {
  std::string node;
  std::string figure;
  FigureUnit unit = FigureUnit::plain;
  Better better = Better::none;
};

struct StudyStep;

/// A checked study: every combination at every repeat is a pipeline that can run.
struct Study {
  std::string name;
  std::string description;
  std::uint64_t seed = 0;
  std::filesystem::path file;
  std::string text;                     ///< of the file
  std::string metric_node;              ///< an evaluator or solver that every variant has
  std::string metric;                   ///< the compared figure of that node: "error_rate"
  FigureUnit unit = FigureUnit::plain;  ///< of the metric
  bool higher_is_better = false;
  std::vector<StudyFigure> further;  ///< shown beside the metric; a variant may lack the node
  std::vector<StudySlot> slots;
  std::vector<std::string> repeats;  ///< at least one; "" is allowed as the only one
  std::optional<std::size_t> over;   ///< the slot whose alternatives are blocks: data sets, say
  std::size_t combinations = 0;
  bool counts_repeats = true;  ///< as variants, in messages; trials do not count their folds
  std::optional<std::size_t> baseline;  ///< a combination
  std::vector<StudyVariant> variants;   ///< by combination, then by repeat
  /// Where it runs in steps; slots, combinations and variants are then the first step's.
  std::vector<StudyStep> steps;
};

/// A step of a study: a separate study, which starts from what earlier steps have chosen.
struct StudyStep {
  std::string name;
  double within = 0;       ///< by how much the choice may be worse, as a share of the best mean
  std::size_t chosen = 0;  ///< slots that earlier steps have chosen: the first ones
  Study study;             ///< for every possible choice of the earlier steps
};

/// The step's study for one choice (the index of the alternative for each slot chosen before),
/// without these slots and without variants of other choices.
Study after_choice(const StudyStep& step, const std::vector<std::size_t>& choice);

struct StudyCheck {
  std::optional<Study> study;           ///< set exactly when no diagnostic is an error
  std::vector<Diagnostic> diagnostics;  ///< an error in several variants appears once
};

/// The most variants that a study may have.
inline constexpr std::size_t most_variants = 20'000;

/// Whether the file is readable YAML with a `study`; check_study() or check_pipeline() reports
/// other errors.
bool is_study(const std::filesystem::path& file);

/// Checks the text of a study file and every pipeline that results from it; overrides and the seed
/// apply to the varied pipeline.
StudyCheck check_study(const std::string& text, const std::filesystem::path& file,
                       const Catalogue& catalogue, const CheckOptions& options);

/// Reads and checks a file.
StudyCheck load_study(const std::filesystem::path& file, const Catalogue& catalogue,
                      const CheckOptions& options);

}  // namespace semblance
