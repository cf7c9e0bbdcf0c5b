// SPDX-License-Identifier: MIT
#include "study/study_changes.hpp"

#include <algorithm>

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

}  // namespace

std::vector<Override> take_study_changes(std::vector<Override>& given) {
  const auto first = std::stable_partition(given.begin(), given.end(), [](const Override& change) {
    return change.path.front().text != "study";
  });
  std::vector<Override> taken(std::make_move_iterator(first), std::make_move_iterator(given.end()));
  given.erase(first, given.end());
  return taken;
}

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

}  // namespace semblance
