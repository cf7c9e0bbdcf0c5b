// SPDX-License-Identifier: MIT
#include "pipeline/held_out.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "pipeline/shown_names.hpp"

namespace semblance {
namespace {

using NamedValue = decltype(ComponentConfig::values)::value_type;

/// The number of folds in which a calibrator's training samples are held out; 0: the node is not a
/// calibrator, or leaves them out one at a time.
std::size_t folds_of(const PipelineNode& node) {
  if (node.info().kind() != "calibrator") return 0;
  for (const auto& [name, value] : node.component.values)
    if (const auto* folds = std::get_if<double>(&value); folds && name == "folds")
      return static_cast<std::size_t>(*folds);
  return 0;
}

class Expansion {
 public:
  explicit Expansion(const Pipeline& pipeline) : own_(pipeline), result_(pipeline) {
    result_.nodes.clear();
  }

  Pipeline expand() {
    for (std::size_t i = 0; i < own_.nodes.size(); ++i) {
      const PipelineNode& node = own_.nodes[i];
      std::vector<std::size_t> copies;
      if (held_out_of(node).empty())
        for (std::size_t fold = 0; fold < folds_of(node); ++fold)
          copies.push_back(copied(node.inputs.at(0).nodes.at(0), node, fold));
      PipelineNode moved = node;
      for (PipelineInput& input : moved.inputs)
        for (std::size_t& from : input.nodes) from = places_[from];
      if (leaves_one_out(node.component, node.info()))
        result_.nodes[moved.inputs.at(0).nodes.at(0)].scores_left_out = true;
      if (moved.shown)
        for (ShownNode& shown : *moved.shown) shown.node = places_[shown.node];
      moved.origin = node.inputs.empty() ? result_.nodes.size() : places_[node.origin];
      if (!copies.empty()) moved.inputs.push_back({held_out_port, std::move(copies)});
      places_.push_back(result_.nodes.size());
      result_.nodes.push_back(std::move(moved));
    }
    return std::move(result_);
  }

 private:
  static bool by_row(const PipelineNode& calibrator) {
    return folds_by(calibrator.component) == FoldsBy::row;
  }

  static bool learns_from_classes(const PipelineNode& node) {
    return !node.info().targets.empty() && node.info().takes(TargetKind::classes);
  }

  /// The copy of node i for one fold of a calibrator, made on first use.
  std::size_t copied(std::size_t i, const PipelineNode& calibrator, std::size_t fold) {
    const std::size_t folds = folds_of(calibrator);
    const auto key = std::tuple(i, folds, by_row(calibrator), calibrator.seed, fold);
    if (const auto known = copies_.find(key); known != copies_.end()) return known->second;
    PipelineNode copy = own_.nodes[i];
    // The component sees the names of the original pipeline.
    copy.shown = shown_nodes(own_, i);
    for (PipelineInput& input : copy.inputs)
      for (std::size_t& from : input.nodes) from = copied(from, calibrator, fold);
    for (ShownNode& shown : *copy.shown) shown.node = copied(shown.node, calibrator, fold);
    if (copy.inputs.empty()) {
      Fold inner{fold, folds, calibrator.seed};
      inner.by_row = by_row(calibrator);
      if (copy.fold.count > 0) {
        inner.within = copy.fold.within;
        copy.fold.within.clear();
        inner.within.push_back(copy.fold);
      }
      copy.fold = std::move(inner);
    } else {
      copy.origin = copied(own_.nodes[i].origin, calibrator, fold);
    }
    copy.name += "[fold=" + std::to_string(fold + 1) + " of " + std::to_string(folds) + "]";
    copy.held_out = true;
    const std::size_t place = result_.nodes.size();
    if (copy.inputs.empty())
      copy.origin = place;
    else if (learns_from_classes(copy))
      result_.nodes[copy.origin].needs_classes = true;
    result_.nodes.push_back(std::move(copy));
    return copies_[key] = place;
  }

  const Pipeline& own_;
  Pipeline result_;
  std::vector<std::size_t> places_;  ///< positions in the result, by node
  std::map<std::tuple<std::size_t, std::size_t, bool, std::uint64_t, std::size_t>, std::size_t>
      copies_;
};

}  // namespace

Pipeline with_held_out(const Pipeline& pipeline) { return Expansion(pipeline).expand(); }

bool leaves_one_out(const ComponentConfig& component, const ComponentInfo& info) {
  if (info.kind() != "calibrator") return false;
  const auto found = std::ranges::find(component.values, "folds", &NamedValue::first);
  return found != component.values.end() && std::holds_alternative<std::string>(found->second);
}

std::string not_left_out(const std::string& node, const std::string& component) {
  return "rows cannot be left out one at a time: '" + node + "' (" + component + ") ";
}

std::optional<FoldsBy> folds_by_named(std::string_view word) {
  if (word == "group") return FoldsBy::group;
  if (word == "row") return FoldsBy::row;
  return std::nullopt;
}

FoldsBy folds_by(const ComponentConfig& component) {
  for (const auto& [name, value] : component.values)
    if (const auto* word = std::get_if<std::string>(&value); word && name == "folds_by")
      return folds_by_named(*word).value_or(FoldsBy::data);
  return FoldsBy::data;
}

bool calibrates_by_column(const PipelineNode& node) {
  const auto found = std::ranges::find(node.component.values, "by_column", &NamedValue::first);
  return node.info().kind() == "calibrator" && found != node.component.values.end() &&
         std::get<std::string>(found->second) != "";
}

std::vector<std::size_t> held_out_of(const PipelineNode& calibrator) {
  const auto found = std::ranges::find(calibrator.inputs, held_out_port, &PipelineInput::port);
  return found == calibrator.inputs.end() ? std::vector<std::size_t>() : found->nodes;
}

}  // namespace semblance
