// SPDX-License-Identifier: MIT
#include "study/merge.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "pipeline/held_out.hpp"
#include "pipeline/node_identity.hpp"
#include "pipeline/row_setting.hpp"
#include "pipeline/shown_names.hpp"

namespace semblance {
namespace {

class Merger {
 public:
  Merger(const Study& study, const Catalogue& catalogue) : study_(study), catalogue_(catalogue) {
    result_.pipeline.name = study.name;
    result_.pipeline.description = study.description;
    result_.pipeline.seed = study.seed;
    result_.pipeline.file = study.file;
    result_.places.resize(study.variants.size());
  }

  MergedStudy merge(const std::vector<char>& taken) {
    for (std::size_t v = 0; v < study_.variants.size(); ++v)
      if (taken[v]) add(v);
    name_nodes(static_cast<std::size_t>(std::ranges::count(taken, 1)));
    return std::move(result_);
  }

 private:
  void add(std::size_t variant) {
    std::vector<std::size_t> places, held_out;
    const Pipeline own = with_held_out(study_.variants[variant].pipeline);
    std::map<std::string, std::size_t> twins;
    for (std::size_t i = 0; i < own.nodes.size(); ++i) {
      const PipelineNode& node = own.nodes[i];
      PipelineNode moved = node;
      for (auto& input : moved.inputs)
        for (std::size_t& from : input.nodes) from = places[from];
      moved.origin = node.inputs.empty() ? result_.pipeline.nodes.size() : places[node.origin];
      moved.shown = shown_nodes(own, i);
      for (ShownNode& shown : *moved.shown) shown.node = places[shown.node];
      std::string same = identity(moved) + row_setting(own, i);
      // Equal nodes of one pipeline stay separate, as when it runs alone: a component may see each
      // of them by name.
      if (const std::size_t twin = twins[same]++; twin > 0) same += " " + std::to_string(twin);
      const auto [known, fresh] = known_.emplace(same, result_.pipeline.nodes.size());
      places.push_back(known->second);
      if (fresh) {
        result_.pipeline.nodes.push_back(std::move(moved));
        users_.emplace_back();
      }
      users_[known->second].push_back(variant);
      (node.held_out ? held_out : result_.places[variant]).push_back(known->second);
      ++result_.nodes_before;
    }
    result_.places[variant].insert(result_.places[variant].end(), held_out.begin(), held_out.end());
  }

  std::string identity(const PipelineNode& node) const {
    nlohmann::json content = node_identity(node, catalogue_);
    for (const auto& input : node.inputs) content["inputs"][input.port] = input.nodes;
    for (const ShownNode& shown : *node.shown) content["shown"].push_back({shown.node, shown.name});
    return content.dump();
  }

  /// Nodes that follow a source may choose its test samples.
  std::string row_setting(const Pipeline& pipeline, std::size_t node) const {
    std::string text;
    if (pipeline.nodes[node].inputs.empty())
      for (const std::size_t i : nodes_setting_rows_aside(pipeline, node, catalogue_))
        text += " set aside by " + node_identity(pipeline.nodes[i], catalogue_).dump();
    return text;
  }

  void name_nodes(std::size_t variants) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < users_.size(); ++i) {
      auto& name = result_.pipeline.nodes[i].name;
      std::set<std::size_t> users(users_[i].begin(), users_[i].end());
      if (users.size() < variants) name += common_choices(users);
      const std::string wanted = name;
      for (int n = 2; !names.insert(name).second; ++n) name = wanted + "#" + std::to_string(n);
    }
  }

  /// "[zscore,seed=2]": the alternatives that all users share but not all variants.
  std::string common_choices(const std::set<std::size_t>& users) const {
    std::string text;
    const auto add_if_common = [&](const auto& choice_of, const auto& name_of) {
      const auto wanted = choice_of(study_.variants[*users.begin()]);
      const auto same = [&](const StudyVariant& v) { return choice_of(v) == wanted; };
      if (std::ranges::all_of(study_.variants, same)) return;
      for (const std::size_t user : users)
        if (!same(study_.variants[user])) return;
      if (name_of(wanted).empty()) return;  // a slot that these variants do not have
      text += (text.empty() ? "" : ",") + name_of(wanted);
    };
    for (std::size_t s = 0; s < study_.slots.size(); ++s)
      add_if_common([s](const StudyVariant& v) { return v.choices[s]; },
                    [&](std::size_t a) { return study_.slots[s].alternatives[a]; });
    add_if_common([](const StudyVariant& v) { return v.repeat; },
                  [&](std::size_t r) { return study_.repeats[r]; });
    return text.empty() ? "" : "[" + text + "]";
  }

  const Study& study_;
  const Catalogue& catalogue_;
  MergedStudy result_;
  std::map<std::string, std::size_t> known_;
  std::vector<std::vector<std::size_t>> users_;  // variants, by merged node
};

}  // namespace

MergedStudy merge(const Study& study, const std::vector<char>& taken, const Catalogue& catalogue) {
  return Merger(study, catalogue).merge(taken);
}

}  // namespace semblance
