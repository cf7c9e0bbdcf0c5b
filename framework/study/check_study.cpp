// SPDX-License-Identifier: MIT
#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "pipeline/check_tree.hpp"
#include "pipeline/numerals.hpp"
#include "pipeline/pipeline_file.hpp"
#include "pipeline/suggestion.hpp"
#include "pipeline/yaml_syntax.hpp"
#include "study/combinations.hpp"
#include "study/study.hpp"
#include "study/tree_edits.hpp"

namespace semblance {
namespace {

/// The longest name of a variant: it becomes the name of a folder.
constexpr std::size_t longest_name = 150;

/// So many different errors are enough to show.
constexpr std::size_t most_errors = 100;

/// What is wrong with variants, each thing once, with how many it concerns.
class VariantProblems {
 public:
  void add(const std::vector<Diagnostic>& diagnostics, const std::string& variant) {
    ++variants_;
    for (const Diagnostic& d : diagnostics) {
      const auto [place, fresh] = seen_.emplace(
          std::tuple(d.file, d.position.line, d.position.column, d.message), items_.size());
      if (fresh) items_.push_back({d, variant, 0});
      ++items_[place->second].count;
      errors_ += fresh && d.severity == Severity::error;
    }
  }

  bool enough() const { return errors_ >= most_errors; }

  std::vector<Diagnostic> take() {
    std::vector<Diagnostic> result;
    for (Item& item : items_) {
      if (item.count < variants_)
        item.diagnostic.message += " (in " + std::to_string(item.count) + " of " +
                                   std::to_string(variants_) + " variants, first " +
                                   quote(item.variant) + ")";
      result.push_back(std::move(item.diagnostic));
    }
    std::ranges::stable_sort(result, {}, [](const Diagnostic& d) {
      return std::tuple(d.file == "--set", d.position.line, d.position.column);
    });
    return result;
  }

 private:
  struct Item {
    Diagnostic diagnostic;
    std::string variant;
    std::size_t count;
  };
  std::vector<Item> items_;
  std::map<std::tuple<std::string, int, int, std::string>, std::size_t> seen_;
  std::size_t variants_ = 0;
  std::size_t errors_ = 0;
};

class StudyChecker {
 public:
  StudyChecker(const std::filesystem::path& file, const Catalogue& catalogue,
               const CheckOptions& options)
      : file_(file), catalogue_(catalogue), options_(options) {}

  StudyCheck check(const std::string& text) {
    const auto arguments = override_sources(options_.overrides);
    const auto overrides = parse_overrides(arguments, problems_);
    if (read_base(text)) {
      apply_overrides(overrides, catalogue_, base_, problems_);
      expand();
    }
    StudyCheck result;
    result.diagnostics = problems_.take();
    for (Diagnostic& d : variant_problems_.take()) result.diagnostics.push_back(std::move(d));
    study_.text = text;
    if (!has_errors(result.diagnostics)) result.study = std::move(study_);
    return result;
  }

 private:
  std::optional<YamlNode> parse(std::string name, const std::string& text, std::size_t order) {
    const SourceText& source =
        sources_.emplace_back(std::move(name), without_byte_order_mark(text), order);
    if (!check_text(source, problems_)) return std::nullopt;
    return parse_yaml(source, problems_);
  }

  /// Reads the study and the pipeline that it varies. False: reported.
  bool read_base(const std::string& text) {
    auto root = parse(file_.string(), text, 0);
    if (!root) return false;
    const YamlEntry* entry = root->is_mapping() ? root->find("study") : nullptr;
    if (!entry) {
      problems_.error(sources_.front().whole(), "this is not a study: it has no 'study'",
                      "`semblance run` runs a pipeline");
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

  /// Takes the nodes from another file; what the study says besides goes first.
  bool include(const YamlNode& name) {
    if (const YamlEntry* nodes = base_.find("nodes")) {
      problems_.error(nodes->key.place, "the study has nodes and names a pipeline",
                      "take one of them out");
      return false;
    }
    const auto path = file_.parent_path() / name.text;
    const PipelineFile content = read_pipeline_file(path);
    if (content.problem) {
      problems_.error(name.place, "'" + path.string() + "': " + content.problem->message,
                      "the name starts from the folder of the study");
      return false;
    }
    auto root = parse(path.string(), content.text, 1);
    if (!root || !root->is_mapping()) return false;
    if (const YamlEntry* study = root->find("study"))
      problems_.error(study->key.place, "a study cannot be varied by another study");
    for (const YamlEntry& entry : root->entries)
      if (!base_.find(entry.key.text) && entry.key.text != "study") base_.entries.push_back(entry);
    if (!options_.seed) seed_ = seed_of(base_).value_or(seed_);
    return true;
  }

  void expand() {
    const auto all = combinations(specification_, problems_);
    study_.baseline = find_baseline(specification_, all, problems_);
    if (all.empty()) return check_base_alone();
    const bool sound = problems_.errors() == 0;
    describe(all.size());
    for (std::size_t c = 0; c < all.size() && !variant_problems_.enough(); ++c)
      for (std::size_t r = 0; r < specification_.repeats.size(); ++r) add_variant(all[c], c, r);
    // A change that could not be read may be what uses a node.
    if (sound) report_unused();
  }

  /// When no combination can be made, the pipeline may still be checked.
  void check_base_alone() {
    YamlNode tree = base_;
    prune(tree, catalogue_);
    Problems problems;
    check_tree(tree, file_.string(), catalogue_, options_, problems);
    variant_problems_.add(problems.take(), "");
  }

  void describe(std::size_t combinations) {
    study_.seed = seed_;
    study_.file = file_;
    study_.metric_node = specification_.metric_node;
    study_.metric = specification_.metric;
    study_.higher_is_better = specification_.higher_is_better;
    study_.combinations = combinations;
    for (const Slot& slot : specification_.slots) {
      study_.slots.push_back({slot.name, {}});
      for (const Alternative& a : slot.alternatives)
        study_.slots.back().alternatives.push_back(a.name);
    }
    for (const Repeat& repeat : specification_.repeats) study_.repeats.push_back(repeat.name);
  }

  void add_variant(const std::vector<std::size_t>& choices, std::size_t combination,
                   std::size_t repeat) {
    StudyVariant variant;
    variant.name = combination_name(specification_, choices);
    const Repeat& again = specification_.repeats[repeat];
    if (!again.name.empty()) variant.name += "," + again.name;
    if (variant.name.size() > longest_name)
      variant.name = "variant_" + std::to_string(study_.variants.size() + 1);
    variant.choices = choices;
    variant.combination = combination;
    variant.repeat = repeat;
    Problems problems;
    const YamlNode tree = varied_tree(choices, again, problems);
    CheckOptions options = options_;
    if (again.seed) options.seed = again.seed;
    auto pipeline = check_tree(tree, file_.string(), catalogue_, options, problems);
    if (pipeline && !specification_.metric_node.empty()) check_metric(*pipeline, problems);
    variant_problems_.add(problems.take(), variant.name);
    if (!pipeline) return;
    study_.name = pipeline->name;
    study_.description = pipeline->description;
    variant.pipeline = *std::move(pipeline);
    study_.variants.push_back(std::move(variant));
  }

  YamlNode varied_tree(const std::vector<std::size_t>& choices, const Repeat& repeat,
                       Problems& problems) {
    YamlNode tree = base_;
    std::vector<Override> changes;
    std::vector<YamlNode> dropped;
    std::vector<YamlNode> bypassed;
    const auto append = [](auto& all, const auto& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    for (std::size_t s = 0; s < choices.size(); ++s) {
      const Alternative& alternative = specification_.slots[s].alternatives[choices[s]];
      append(changes, alternative.changes);
      append(bypassed, alternative.bypass);
      append(dropped, alternative.drop);
    }
    append(changes, repeat.changes);
    apply_overrides(changes, catalogue_, tree, problems, ChangeOrigin::study);
    for (const YamlNode& name : bypassed) bypass_node(tree, name, catalogue_, problems);
    drop_nodes(tree, dropped, catalogue_, problems);
    used_.merge(prune(tree, catalogue_));
    return tree;
  }

  void check_metric(const Pipeline& pipeline, Problems& problems) const {
    std::vector<std::string> names;
    for (const PipelineNode& node : pipeline.nodes) {
      const auto kind = node.info().kind();
      if (kind != "evaluator" && kind != "solver") continue;
      if (node.name == specification_.metric_node) return;
      names.push_back(node.name);
    }
    problems.error(specification_.metric_place,
                   "there is no evaluator or solver " + quote(specification_.metric_node),
                   "figures are reported by " + enumerate(names));
  }

  void report_unused() {
    const YamlEntry* nodes = base_.find("nodes");
    if (!nodes || variant_problems_.enough() || study_.variants.empty()) return;
    for (const YamlEntry& node : nodes->value.entries)
      if (!used_.contains(node.key.text))
        problems_.error(node.key.place, "no variant uses node " + quote(node.key.text),
                        "name it at the input of another node, or remove it");
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
