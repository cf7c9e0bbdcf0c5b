// SPDX-License-Identifier: MIT
#include "pipeline/specification/former_names.hpp"

#include <utility>

#include "support/former_names.hpp"

namespace semblance {
namespace {

/// Once for each place, also where a tree is read again. `shown` is what is written there.
void report(YamlNode& place, const std::string& shown, const std::string& remedy,
            const FormerName& former, Problems& problems) {
  if (std::exchange(place.told, true)) return;
  const std::string message = shown + " " + former.state();
  if (former.gone)
    problems.error(place.place, message, remedy);
  else
    problems.warning(place.place, message, remedy);
}

std::string of(const std::string& written, const std::string& owner) {
  return quote(written) + " of " + owner;
}

class Replacement {
 public:
  Replacement(const Catalogue& catalogue, Problems& problems, bool of_model)
      : catalogue_(catalogue), problems_(problems), of_model_(of_model) {}

  /// The program's own keys below `path`, which is empty or ends with a dot.
  void keys(YamlNode& mapping, const std::string& path) {
    const std::string owner = path.empty() ? "a pipeline" : path.substr(0, path.size() - 1);
    for (std::size_t i = 0; i < mapping.entries.size();) {
      const auto* former = find_former(program_names(), path + mapping.entries[i].key.text);
      if (former && !remains(mapping, i, *former, owner)) continue;
      YamlEntry& entry = mapping.entries[i++];
      if (entry.value.is_mapping() && entry.key.text != "nodes")
        keys(entry.value, path + entry.key.text + ".");
    }
  }

  void components(YamlNode& node) {
    if (YamlEntry* is = node.find("is"); is && is->value.is_scalar()) component(node, is->value);
    for (YamlEntry& entry : node.entries) components(entry.value);
    for (YamlNode& item : node.items) components(item);
  }

 private:
  void component(YamlNode& body, YamlNode& is) {
    const Catalogue::Entry* entry = catalogue_.find(is.text);
    if (!entry) entry = former_id(body, is);
    if (!entry) return;
    const auto& names = entry->info.former;
    if (const auto* own = find_former(names, is.text))
      tell(is, quote(is.text), own->remedy(is.text), *own);
    for (std::size_t i = 0; i < body.entries.size();) {
      YamlEntry& given = body.entries[i];
      value(names, given, given.value, entry->info.id);
      const FormerName* former = find_former(names, given.key.text);
      if (!former || remains(body, i, *former, entry->info.id)) ++i;
    }
  }

  /// The component that has taken the place of an unknown one, or nullptr.
  const Catalogue::Entry* former_id(YamlNode& body, YamlNode& is) {
    const auto [entry, former] = catalogue_.find_former_id(is.text);
    if (!former) return nullptr;
    const bool replaced = former->advice.empty();
    tell(is, quote(is.text), former->remedy(entry->info.id), *former);
    if (!replaced && !of_model_) is.kind = YamlNode::Kind::invalid;
    if (!replaced) return nullptr;
    is.text = entry->info.id;
    const std::size_t colon = former->instead.find(": ");
    if (colon == std::string::npos || body.find(former->instead.substr(0, colon))) return entry;
    YamlEntry added{is, is};
    added.key.text = former->instead.substr(0, colon);
    added.value.text = former->instead.substr(colon + 2);
    body.entries.push_back(std::move(added));
    return entry;
  }

  /// Whether the entry of a former name is still there afterwards.
  bool remains(YamlNode& mapping, std::size_t i, const FormerName& former,
               const std::string& owner) {
    YamlEntry& entry = mapping.entries[i];
    const bool unused = former.gone && former.instead.empty();
    if (of_model_ && unused && entry.value.text != former.usual)
      report(entry.key, of(entry.key.text, owner), former.advice, former, problems_);
    else
      tell(entry.key, of(entry.key.text, owner), former.remedy(), former);
    const bool twice = !former.instead.empty() && mapping.find(former.instead);
    if (twice)
      problems_.error(entry.key.place,
                      quote(entry.key.text) + " is a former name of '" + former.instead +
                          "', which is given too",
                      "remove " + entry.key.text);
    if (unused || twice)
      mapping.entries.erase(mapping.entries.begin() + static_cast<std::ptrdiff_t>(i));
    else if (!former.instead.empty())
      entry.key.text = former.instead;
    return !unused && !twice;
  }

  /// A value, or each of a list.
  void value(const std::vector<FormerName>& names, YamlEntry& entry, YamlNode& given,
             const std::string& owner) {
    for (YamlNode& item : given.items) value(names, entry, item, owner);
    const auto* former =
        given.is_scalar() ? find_former(names, entry.key.text + ": " + given.text) : nullptr;
    if (!former) return;
    tell(given, of(former->written, owner), former->remedy(), *former);
    const std::size_t colon = former->instead.find(": ");
    if (colon == std::string::npos) return;
    entry.key.text = former->instead.substr(0, colon);
    given.text = former->instead.substr(colon + 2);
  }

  void tell(YamlNode& place, const std::string& shown, const std::string& remedy,
            const FormerName& former) {
    if (!of_model_) report(place, shown, remedy, former, problems_);
  }

  const Catalogue& catalogue_;
  Problems& problems_;
  bool of_model_;
};

}  // namespace

void use_current_names(YamlNode& root, const Catalogue& catalogue, Problems& problems,
                       bool of_model) {
  Replacement replacement(catalogue, problems, of_model);
  replacement.keys(root, "");
  replacement.components(root);
}

void use_current_key(const YamlNode& body, YamlNode& key, const Catalogue& catalogue,
                     Problems& problems) {
  const YamlEntry* is = body.find("is");
  const auto* entry = is ? catalogue.find(is->value.text) : nullptr;
  const auto* former = entry ? find_former(entry->info.former, key.text) : nullptr;
  if (!former || former->instead.empty()) return;
  report(key, of(key.text, entry->info.id), former->remedy(), *former, problems);
  key.text = former->instead;
}

void use_current_path(std::vector<YamlNode>& path, Problems& problems) {
  std::string name;
  for (YamlNode& part : path) {
    const std::string owner = name.empty() ? "a pipeline" : name;
    name += (name.empty() ? "" : ".") + part.text;
    const auto* former = find_former(program_names(), name);
    if (!former || former->instead.empty()) continue;
    report(part, of(part.text, owner), former->remedy(), *former, problems);
    name.replace(name.size() - part.text.size(), std::string::npos, former->instead);
    part.text = former->instead;
  }
}

}  // namespace semblance
