// SPDX-License-Identifier: MIT
#include "study/merge.hpp"

#include <algorithm>
#include <charconv>
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
      const std::string own = name;
      Choices choices;
      if (users.size() < variants) choices = common_choices(users);
      name += choices.name;
      const std::string wanted = name;
      for (int n = 2; !names.insert(name).second; ++n) name = wanted + "#" + std::to_string(n);
      if (!choices.words.empty()) result_.words[name] = own + choices.words;
    }
  }

  struct Choices {
    std::string name;   ///< "[zscore,10,seed=2]"
    std::string words;  ///< ", zscore, C = 10, seed 2"
  };

  /// The alternatives that all users share but not all variants.
  Choices common_choices(const std::set<std::size_t>& users) const {
    Choices found;
    const auto add_if_common = [&](const auto& choice_of, const auto& name_of,
                                   const auto& words_of) {
      const auto wanted = choice_of(study_.variants[*users.begin()]);
      const auto same = [&](const StudyVariant& v) { return choice_of(v) == wanted; };
      if (std::ranges::all_of(study_.variants, same)) return;
      for (const std::size_t user : users)
        if (!same(study_.variants[user])) return;
      const std::string name = name_of(wanted);
      if (name.empty()) return;  // a slot that these variants do not have
      found.name += (found.name.empty() ? "" : ",") + name;
      found.words += ", " + words_of(name);
    };
    for (std::size_t s = 0; s < study_.slots.size(); ++s)
      add_if_common([s](const StudyVariant& v) { return v.choices[s]; },
                    [&](std::size_t a) { return study_.slots[s].alternatives[a]; },
                    [&](const std::string& name) {
                      return is_number(name) ? study_.slots[s].name + " = " + name : name;
                    });
    add_if_common([](const StudyVariant& v) { return v.repeat; },
                  [&](std::size_t r) { return study_.repeats[r]; },
                  [&](const std::string& name) { return words_of_repeat(name); });
    if (!found.name.empty()) found.name = "[" + found.name + "]";
    return found;
  }

  /// "seed 2, fold 3 of 5" for seed=2,fold=3.
  std::string words_of_repeat(const std::string& repeat) const {
    std::string words;
    for (const char c : repeat) words += c == '=' ? " " : c == ',' ? ", " : std::string(1, c);
    const std::size_t fold = repeat.find("fold=");
    if (fold == std::string::npos) return words;
    const auto folds = std::ranges::count_if(study_.repeats, [&](const std::string& other) {
      return other.substr(0, fold) == repeat.substr(0, fold);
    });
    return words + " of " + std::to_string(folds);
  }

  static bool is_number(const std::string& text) {
    double value = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end;
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
