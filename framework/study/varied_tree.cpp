// SPDX-License-Identifier: MIT
#include "study/varied_tree.hpp"

#include "study/tree_edits.hpp"

namespace semblance {

YamlNode varied_tree(const YamlNode& base, const StudySpecification& study,
                     const std::vector<std::size_t>& choices, const Repeat& repeat,
                     const Catalogue& catalogue, std::set<std::string>& used, Problems& problems) {
  YamlNode tree = base;
  std::vector<Override> changes;
  std::vector<YamlNode> dropped;
  std::vector<YamlNode> bypassed;
  const auto append = [](auto& all, const auto& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  const auto add = [&](const Alternative& alternative) {
    append(changes, alternative.changes);
    append(bypassed, alternative.bypass);
    append(dropped, alternative.drop);
  };
  add(study.changes);
  for (std::size_t s = 0; s < choices.size(); ++s) add(study.slots[s].alternatives[choices[s]]);
  append(changes, repeat.changes);
  apply_overrides(changes, catalogue, tree, problems, ChangeOrigin::file);
  for (const YamlNode& name : bypassed) bypass_node(tree, name, catalogue, problems);
  drop_nodes(tree, dropped, catalogue, problems);
  used.merge(prune(tree, catalogue));
  return tree;
}

}  // namespace semblance
