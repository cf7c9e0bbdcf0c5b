// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <vector>

#include "pipeline/pipeline_file.hpp"
#include "pipeline/specification/former_names.hpp"
#include "pipeline/specification/overrides.hpp"
#include "pipeline/yaml/numerals.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_syntax.hpp"
#include "study/check_pipeline.hpp"
#include "study/combinations.hpp"
#include "study/repeat_folds.hpp"
#include "study/study.hpp"
#include "study/study_checks.hpp"
#include "study/tree_edits.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {

namespace {

/// The change with a mapping for part `i` of its path: study.repeats={seeds: ...}
std::string whole(const Override& change, std::size_t i) {
  std::string text;
  for (std::size_t k = 0; k <= i; ++k) text += (k > 0 ? "." : "") + change.path[k].text;
  text += "={";
  for (std::size_t k = i + 1; k < change.path.size(); ++k)
    text += change.path[k].text + (k + 1 < change.path.size() ? ": {" : ": ...");
  return text + std::string(change.path.size() - 1 - i, '}');
}

/// The mapping that has the path's last part as a key; nullptr: reported.
YamlNode* holder(const Override& change, YamlNode& root, Problems& problems) {
  YamlNode* mapping = &root;
  for (std::size_t i = 0; i + 1 < change.path.size(); ++i) {
    const YamlNode& part = change.path[i];
    YamlEntry* entry = mapping->find(part.text);
    if (!entry) {
      std::vector<std::string> keys;
      for (const YamlEntry& e : mapping->entries) keys.push_back(e.key.text);
      std::string help = did_you_mean(part.text, keys);
      if (help.empty() && !keys.empty()) help = "it has " + enumerate(keys) + "; ";
      if (!help.ends_with("?")) help += "a new part is given as a whole: " + whole(change, i);
      problems.error(part.place,
                     (i == 1 ? "the study" : quote(change.path[i - 1].text) + " of the study") +
                         " has no " + quote(part.text),
                     help);
      return nullptr;
    }
    if (!entry->value.is_mapping()) {
      problems.error(change.path[i + 1].place, quote(part.text) + " has no part " +
                                                   quote(change.path[i + 1].text) + ": it is " +
                                                   entry->value.describe());
      return nullptr;
    }
    mapping = &entry->value;
  }
  return mapping;
}

/// Removes from `given` the changes to the study itself: --set study.repeats.seeds=10.
std::vector<Override> take_study_changes(std::vector<Override>& given) {
  const auto first = std::stable_partition(given.begin(), given.end(), [](const Override& change) {
    return change.path.front().text != "study";
  });
  std::vector<Override> taken(std::make_move_iterator(first), std::make_move_iterator(given.end()));
  given.erase(first, given.end());
  return taken;
}

/// Changes the tree of a study in order, before it is read. All parts of a path but the last must
/// exist, so that a misspelt slot is not taken for a new one; errors are reported.
void change_study(const std::vector<Override>& changes, YamlNode& root, Problems& problems) {
  for (const Override& change : changes) {
    if (change.path.size() == 1) {
      problems.error(change.path.front().place, "cannot replace the whole study",
                     "name a part of it: study.repeats, study.slots.NAME.values");
      continue;
    }
    YamlNode* mapping = holder(change, root, problems);
    if (!mapping) continue;
    const YamlNode& key = change.path.back();
    if (YamlEntry* entry = mapping->find(key.text))
      entry->value = change.value;
    else
      mapping->entries.push_back({key, change.value});
  }
}

class StudyChecker {
 public:
  StudyChecker(const std::filesystem::path& file, const Catalogue& catalogue,
               const CheckOptions& options)
      : file_(file), catalogue_(catalogue), options_(options) {}

  StudyCheck check(const std::string& text) {
    const auto arguments = override_sources(options_.overrides);
    auto overrides = parse_overrides(arguments, problems_);
    const auto study_changes = take_study_changes(overrides);
    if (read_base(text, study_changes)) {
      apply_overrides(overrides, catalogue_, base_, problems_);
      warn_of_idle_changes(overrides, specification_.slots, "study.slots", problems_);
      expand();
    }
    StudyCheck result;
    result.diagnostics = problems_.take();
    for (Diagnostic& d : variant_problems_.take()) result.diagnostics.push_back(std::move(d));
    if (!options_.warns)
      std::erase_if(result.diagnostics,
                    [](const Diagnostic& d) { return d.severity == Severity::warning; });
    study_.text = text;
    if (!has_errors(result.diagnostics)) result.study = std::move(study_);
    return result;
  }

 private:
  std::optional<YamlNode> parse(std::string name, const std::string& text, std::size_t order) {
    const SourceText& source =
        sources_.emplace_back(std::move(name), without_byte_order_mark(text), order);
    if (!check_text(source, problems_)) return std::nullopt;
    auto root = parse_yaml(source, problems_);
    if (root) use_current_names(*root, catalogue_, problems_);
    return root;
  }

  /// Reads the study and the pipeline that it varies. False: an error was reported.
  bool read_base(const std::string& text, const std::vector<Override>& study_changes) {
    auto root = parse(file_.string(), text, 0);
    if (!root) return false;
    if (root->is_mapping() && root->find("study")) change_study(study_changes, *root, problems_);
    use_current_names(*root, catalogue_, problems_);
    const YamlEntry* entry = root->is_mapping() ? root->find("study") : nullptr;
    if (!entry) {
      problems_.error(sources_.front().whole(), "this is not a study: it has no 'study'",
                      "run a pipeline with `semblance run`");
      return false;
    }
    seed_ = options_.seed.value_or(seed_of(*root).value_or(1));
    specification_ = read_study(*entry, seed_, problems_);
    std::erase_if(root->entries, [](const YamlEntry& e) { return e.key.text == "study"; });
    base_ = *std::move(root);
    return !specification_.pipeline || include(*specification_.pipeline);
  }

  static std::optional<std::uint64_t> seed_of(const YamlNode& root) {
    Refusal refusal;
    const YamlEntry* seed = root.find("seed");
    return seed ? read_natural(seed->value, refusal) : std::nullopt;
  }

  /// Takes the nodes from another file; other entries of the study take precedence.
  bool include(const YamlNode& name) {
    if (const YamlEntry* nodes = base_.find("nodes")) {
      problems_.error(nodes->key.place, "the study both has nodes and names a pipeline",
                      "remove one of them");
      return false;
    }
    const auto path = file_.parent_path() / name.text;
    const PipelineFile content = read_pipeline_file(path);
    if (content.problem) {
      problems_.error(name.place, "'" + path.string() + "': " + content.problem->message,
                      "the name is relative to the study's folder");
      return false;
    }
    auto root = parse(path.string(), content.text, 1);
    if (!root) return false;
    if (!root->is_mapping()) {
      problems_.error(name.place,
                      "'" + path.string() + "' is no pipeline: it holds " + root->describe() +
                          ", not a mapping",
                      "name a file with nodes, relative to the study's folder");
      return false;
    }
    if (const YamlEntry* study = root->find("study"))
      problems_.error(study->key.place, "a study cannot vary another study");
    for (const YamlEntry& entry : root->entries)
      if (!base_.find(entry.key.text) && entry.key.text != "study") base_.entries.push_back(entry);
    if (!options_.seed) seed_ = seed_of(base_).value_or(seed_);
    return true;
  }

  void expand() {
    const bool readable = problems_.errors() == 0;
    if (specification_.steps.empty())
      expand(specification_, study_);
    else
      expand_steps();
    metric_.check_further(specification_, problems_);
    // A change that could not be read may use a node.
    if (readable && problems_.errors() == 0 && !study_.variants.empty()) report_unused();
  }

  void expand(const StudySpecification& specification, Study& study) {
    const auto all = combinations(specification, problems_);
    study.baseline = find_baseline(specification, all, problems_);
    if (all.empty()) return check_base_alone();
    describe(specification, all.size(), study);
    for (std::size_t c = 0; c < all.size() && !variant_problems_.enough(); ++c)
      for (std::size_t r = 0; r < specification.repeats.size(); ++r)
        add_variant(specification, study, all[c], c, r);
  }

  /// Expands each step for every possible choice of earlier steps.
  void expand_steps() {
    std::vector<StudyStep> steps;
    std::size_t chosen = 0;
    for (std::size_t k = 0; k < specification_.steps.size() && !variant_problems_.enough(); ++k) {
      const Step& step = specification_.steps[k];
      StudyStep made{step.name, step.within, chosen, {}};
      expand(of_step(specification_, k), made.study);
      chosen += step.slots.size();
      steps.push_back(std::move(made));
    }
    study_ = after_choice(steps.front(), {});
    study_.steps = std::move(steps);
  }

  /// Even without a possible combination, the pipeline can be checked.
  void check_base_alone() {
    YamlNode tree = base_;
    prune(tree, catalogue_);
    Problems problems;
    check_pipeline_tree(tree, file_.string(), catalogue_, options_, problems);
    variant_problems_.add(problems.take(), "");
  }

  void describe(const StudySpecification& specification, std::size_t combinations, Study& study) {
    study.seed = seed_;
    study.file = file_;
    describe_choices(specification, combinations, study);
  }

  void add_variant(const StudySpecification& specification, Study& study,
                   const std::vector<std::size_t>& choices, std::size_t combination,
                   std::size_t repeat) {
    StudyVariant variant;
    const Repeat& again = specification.repeats[repeat];
    variant.name = variant_name(combination_name(specification, choices), again.name,
                                study.variants.size() + 1);
    variant.choices = described_choices(specification, study.slots, choices);
    variant.combination = combination;
    variant.repeat = repeat;
    Problems problems;
    const YamlNode tree =
        varied_tree(base_, specification, choices, again, catalogue_, used_, problems);
    CheckOptions options = options_;
    if (again.seed) options.seed = again.seed;
    auto pipeline = check_pipeline_tree(tree, file_.string(), catalogue_, options, problems);
    if (pipeline) metric_.check(specification, *pipeline, problems);
    if (pipeline && problems.errors() == 0)
      check_fold_groups(specification, *pipeline, catalogue_, problems);
    metric_.apply_to(study);
    variant_problems_.add(problems.take(), variant.name);
    if (!pipeline) return;
    study.name = pipeline->name;
    study.description = pipeline->description;
    variant.pipeline = *std::move(pipeline);
    if (const std::size_t folds = specification.repeat_folds; folds > 0) {
      Fold fold{again.fold, folds, variant.pipeline.seed};
      fold.repeat = true;
      fold.by_row = specification.folds_by == FoldsBy::row;
      hold_out(variant.pipeline, fold);
    }
    study.variants.push_back(std::move(variant));
  }

  void report_unused() {
    const YamlEntry* nodes = base_.find("nodes");
    if (!nodes || variant_problems_.enough()) return;
    const auto unused = [&](const YamlEntry& node) { return !used_.contains(node.key.text); };
    if (std::ranges::any_of(nodes->value.entries, unused)) use_left_out();
    for (const YamlEntry& node : nodes->value.entries)
      if (unused(node))
        problems_.warning(node.key.place, "no variant uses node " + quote(node.key.text),
                          "name it as the input of another node, or remove it");
  }

  /// A study that a filter narrows need not lose the nodes of excluded variants.
  void use_left_out() {
    if (specification_.only.empty() && specification_.exclude.empty()) return;
    StudySpecification whole = specification_;
    whole.only.clear();
    whole.exclude.clear();
    Problems ignored;
    for (const auto& choices : combinations(whole, ignored))
      varied_tree(base_, whole, choices, whole.repeats.front(), catalogue_, used_, ignored);
  }

  const std::filesystem::path file_;
  const Catalogue& catalogue_;
  const CheckOptions& options_;
  std::deque<SourceText> sources_;
  Problems problems_;
  VariantProblems variant_problems_;
  StudySpecification specification_;
  YamlNode base_;
  std::uint64_t seed_ = 1;
  MetricCheck metric_;
  std::set<std::string> used_;  // nodes of the file that some variant has
  Study study_;
};

}  // namespace

bool is_study(const std::filesystem::path& file) {
  const PipelineFile content = read_pipeline_file(file);
  if (content.problem) return false;
  Problems ignored;
  const SourceText source(file.string(), without_byte_order_mark(content.text));
  if (!check_text(source, ignored)) return false;
  const auto root = parse_yaml(source, ignored);
  return root && root->is_mapping() && root->find("study");
}

StudyCheck check_study(const std::string& text, const std::filesystem::path& file,
                       const Catalogue& catalogue, const CheckOptions& options) {
  return StudyChecker(file, catalogue, options).check(text);
}

StudyCheck load_study(const std::filesystem::path& file, const Catalogue& catalogue,
                      const CheckOptions& options) {
  const PipelineFile content = read_pipeline_file(file);
  if (content.problem) return {std::nullopt, {*content.problem}};
  return check_study(content.text, file, catalogue, options);
}

}  // namespace semblance
