// SPDX-License-Identifier: MIT
#include "pipeline/specification/overrides.hpp"

#include <algorithm>

#include "pipeline/specification/former_names.hpp"
#include "pipeline/specification/specification.hpp"
#include "pipeline/yaml/yaml_syntax.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// Splits the path; empty: reported.
std::vector<YamlNode> parse_path(const SourceText& source, std::size_t end, Problems& problems) {
  std::vector<YamlNode> path;
  for (std::size_t start = 0; start <= end;) {
    const std::size_t dot = std::min(source.text().find('.', start), end);
    if (dot == start) {
      problems.error(source.place(start),
                     end == 0 ? "this --set has no path before '='" : "the path has an empty part",
                     "write PATH=VALUE, for example nodes.svm.C=10");
      return {};
    }
    YamlNode part;
    part.kind = YamlNode::Kind::scalar;
    part.text = source.text().substr(start, dot - start);
    part.place = source.place(start, dot - start);
    path.push_back(std::move(part));
    start = dot + 1;
  }
  return path;
}

std::vector<std::string> keys_of(const YamlNode& mapping) {
  std::vector<std::string> keys;
  for (const auto& entry : mapping.entries) keys.push_back(entry.key.text);
  return keys;
}

/// A changed `is`: its place and its former value.
struct Swap {
  std::vector<std::string> path;  ///< of the mapping that holds it
  std::string before;
};

class Application {
 public:
  Application(const Catalogue& catalogue, YamlNode& root, Problems& problems, ChangeOrigin origin)
      : catalogue_(catalogue), root_(root), problems_(problems), origin_(origin) {}

  void apply(Override change) {
    if (!check_start(change)) return;
    YamlNode* mapping = &root_;
    for (std::size_t i = 0; i + 1 < change.path.size(); ++i) {
      mapping = descend(*mapping, change, i);
      if (!mapping) return;
      use_current_key(*mapping, change.path[i + 1], catalogue_, problems_);
    }
    set(*mapping, change);
  }

  /// Called after all changes, so that their order does not matter.
  void drop_unknown_keys() {
    for (const Swap& swap : swaps_) {
      YamlNode* mapping = &root_;
      for (const auto& part : swap.path) {
        YamlEntry* entry = mapping->find(part);
        if (!entry || !entry->value.is_mapping()) return;
        mapping = &entry->value;
      }
      drop_unknown_keys(*mapping, swap);
    }
  }

 private:
  /// Checks the first two parts: a key of a pipeline, and an existing node.
  bool check_start(const Override& change) {
    const auto& path = change.path;
    const YamlNode& top = path[0];
    const auto& keys = pipeline_keys();
    if (std::find(keys.begin(), keys.end(), top.text) == keys.end()) {
      const auto* nodes = root_.find("nodes");
      const bool node = nodes && nodes->value.find(top.text);
      std::string help =
          node ? "did you mean 'nodes." + top.text + "'?" : did_you_mean(top.text, keys);
      if (help.empty()) help = "a path starts with " + enumerate(keys);
      problems_.error(top.place, "a pipeline has no " + quote(top.text), help);
      return false;
    }
    if (top.text != "nodes") {
      // The reader of `select` checks its content.
      if (path.size() == 1 || top.text == "select") return true;
      problems_.error(path[1].place, "'" + top.text + "' has no parts",
                      "write " + top.text + (origin_ == ChangeOrigin::file ? ": VALUE" : "=VALUE"));
      return false;
    }
    if (path.size() == 1) {
      problems_.error(top.place, "cannot replace all nodes at once",
                      "name a node and a key: nodes.NAME.KEY");
      return false;
    }
    return check_node(change);
  }

  bool check_node(const Override& change) {
    const YamlEntry* nodes = root_.find("nodes");
    if (!nodes || !nodes->value.is_mapping()) return false;  // reported with the file
    const YamlNode& wanted = change.path[1];
    const YamlEntry* node = nodes->value.find(wanted.text);
    const bool whole_node = change.path.size() == 2 && change.value.is_mapping();
    if (!node && whole_node && origin_ == ChangeOrigin::file) return true;
    if (!node) {
      const auto names = keys_of(nodes->value);
      std::string help = did_you_mean(wanted.text, names);
      if (help.empty() && names.size() <= 10) help = "the nodes are " + enumerate(names);
      problems_.error(wanted.place, "unknown node " + quote(wanted.text), help);
      return false;
    }
    if (change.path.size() == 2 && change.value.is_scalar()) {
      problems_.error(change.value.place,
                      "a node must be a mapping, got " + change.value.describe(),
                      "to swap its component, write nodes." + wanted.text + ".is" +
                          (origin_ == ChangeOrigin::file ? ": " : "=") + change.value.text);
      return false;
    }
    return true;
  }

  /// The mapping below part `i` of the path, made where it is missing; nullptr: reported.
  YamlNode* descend(YamlNode& mapping, const Override& change, std::size_t i) {
    const YamlNode& part = change.path[i];
    YamlEntry* entry = mapping.find(part.text);
    if (!entry || (i >= 2 && entry->value.kind == YamlNode::Kind::nothing)) {
      YamlNode made = YamlNode::empty(YamlNode::Kind::mapping, part.place);
      if (entry) {
        entry->value = std::move(made);
        return &entry->value;
      }
      mapping.entries.push_back({part, std::move(made)});
      return &mapping.entries.back().value;
    }
    if (entry->value.is_mapping()) return &entry->value;
    if (i >= 2)  // a node that is not a mapping is reported with the file
      problems_.error(change.path[i + 1].place, "'" + part.text + "' has no part " +
                                                    quote(change.path[i + 1].text) + ": it is " +
                                                    entry->value.describe() + ", not a component");
    return nullptr;
  }

  void set(YamlNode& mapping, const Override& change) {
    given_.push_back(change.value.place);
    const YamlNode& key = change.path.back();
    YamlEntry* entry = mapping.find(key.text);
    if (key.text == "is" && change.path.size() >= 3) {
      Swap swap{{}, entry ? entry->value.text : ""};
      for (std::size_t i = 0; i + 1 < change.path.size(); ++i)
        swap.path.push_back(change.path[i].text);
      swaps_.push_back(std::move(swap));
    }
    if (entry)
      entry->value = change.value;
    else
      mapping.entries.push_back({key, change.value});
  }

  void drop_unknown_keys(YamlNode& mapping, const Swap& swap) {
    const YamlEntry* is = mapping.find("is");
    const auto* after = is ? catalogue_.find(is->value.text) : nullptr;
    if (is && !after) after = catalogue_.find_former_id(is->value.text).first;
    if (!after) return;  // reported when the component is looked up
    const auto* before = catalogue_.find(swap.before);
    const auto knows = [](const ComponentInfo& info, const std::string& key) {
      return info.parameter(key) || info.input(key);
    };
    std::erase_if(mapping.entries, [&](const YamlEntry& entry) {
      const std::string& key = entry.key.text;
      if (is_given(entry.value) || key == "is" || key == "seed" || knows(after->info, key) ||
          (before && !knows(before->info, key)))
        return false;
      if (origin_ == ChangeOrigin::command_line)
        problems_.warning(entry.key.place, "'" + key + "' is dropped: " + after->info.id +
                                               ", which --set puts here, has no such key");
      return true;
    });
  }

  bool is_given(const YamlNode& value) const {
    return std::ranges::any_of(given_, [&](const Place& place) {
      return place.source == value.place.source &&
             place.position.line == value.place.position.line &&
             place.position.column == value.place.position.column;
    });
  }

  const Catalogue& catalogue_;
  YamlNode& root_;
  Problems& problems_;
  ChangeOrigin origin_;
  std::vector<Place> given_;  // of the inserted values
  std::vector<Swap> swaps_;
};

}  // namespace

std::vector<SourceText> override_sources(const std::vector<std::string>& arguments) {
  std::vector<SourceText> sources;
  for (const auto& argument : arguments)
    sources.emplace_back("--set", argument, sources.size() + 2);
  return sources;
}

std::vector<Override> parse_overrides(const std::vector<SourceText>& sources, Problems& problems) {
  std::vector<Override> overrides;
  for (const SourceText& source : sources) {
    if (!check_text(source, problems)) continue;
    const std::string& text = source.text();
    if (text.find('\n') != std::string::npos) {
      problems.error(source.place(0, text.size()), "a --set must be a single line");
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      problems.error(source.place(0, text.size()), "this --set has no '='",
                     "write PATH=VALUE, for example nodes.svm.C=10");
      continue;
    }
    Override change;
    change.source = &source;
    change.path = parse_path(source, equals, problems);
    if (change.path.empty()) continue;
    use_current_path(change.path, problems);
    auto value = parse_yaml(source, problems, equals + 1);
    if (!value) continue;
    if (value->kind == YamlNode::Kind::nothing) value->place = source.place(equals);
    change.value = *std::move(value);
    overrides.push_back(std::move(change));
  }
  return overrides;
}

void apply_overrides(const std::vector<Override>& overrides, const Catalogue& catalogue,
                     YamlNode& root, Problems& problems, ChangeOrigin origin) {
  if (!root.is_mapping()) return;
  Application application(catalogue, root, problems, origin);
  for (const Override& change : overrides) application.apply(change);
  application.drop_unknown_keys();
  use_current_names(root, catalogue, problems);
}

}  // namespace semblance
