// SPDX-License-Identifier: MIT
#include "pipeline/specification/component_lookup.hpp"

#include <algorithm>

#include "semblance/component_info.hpp"
#include "semblance/kind.hpp"
#include "support/did_you_mean.hpp"
#include "support/former_names.hpp"

namespace semblance {
namespace {

std::string after_slash(std::string_view id) {
  const auto slash = id.find('/');
  return std::string(slash == std::string_view::npos ? id : id.substr(slash + 1));
}

bool is_kind(const std::string& word) {
  return std::find(kinds().begin(), kinds().end(), word) != kinds().end();
}

/// Ids of any kind whose part after the slash is `name`, as a question.
std::string suggest_named(const Catalogue& catalogue, const std::string& name) {
  std::string text;
  for (const auto* entry : catalogue.entries())
    if (after_slash(entry->info.id) == name)
      text += (text.empty() ? "did you mean '" : " or '") + entry->info.id + "'";
  return text.empty() ? text : text + "?";
}

/// The id of a kind with the name nearest to `name`, as a question.
std::string suggest_in_kind(const Catalogue& catalogue, const std::string& kind,
                            const std::string& name) {
  std::vector<std::string> names;
  for (const auto& id : ids_of_kind(catalogue, kind)) names.push_back(after_slash(id));
  const auto found = closest(name, names);
  return found ? "did you mean '" + kind + "/" + *found + "'?" : "";
}

void report_unknown(const YamlNode& node, const Catalogue& catalogue, Problems& problems,
                    const std::string& kind_wanted) {
  const std::string& id = node.text;
  const bool has_kind = id.find('/') != std::string::npos;
  const std::string kind = has_kind ? id.substr(0, id.find('/')) : kind_wanted;
  const std::string name = after_slash(id);
  std::string message = "unknown component " + quote(id);
  std::string help = package_of(id);
  if (!help.empty()) {
    message = quote(id) + " is not installed";
  } else if (!problems.full()) {
    help = suggest_named(catalogue, name);
    if (!has_kind)
      message = quote(id) + " is not a component id, which has the form kind/name";
    else if (!is_kind(kind))
      message = "unknown kind " + quote(kind) + " in " + quote(id);
    else if (!help.empty())
      message = "a component named " + quote(name) + " exists, but not of kind " + kind;
    if (help.empty() && is_kind(kind)) help = suggest_in_kind(catalogue, kind, name);
    if (help.empty() && is_kind(kind)) help = list_kind(catalogue, kind);
    if (help.empty()) help = did_you_mean(id, ids_of_kind(catalogue, ""));
    if (help.empty())
      help = "the kinds are " + enumerate(kinds()) + "; `semblance list` shows all components";
  }
  problems.error(node.place, message, help);
}

}  // namespace

std::string meant_component(const Catalogue& catalogue, const std::string& id) {
  const std::string name = after_slash(id);
  std::string meant = suggest_named(catalogue, name);
  if (meant.empty()) meant = did_you_mean(id, ids_of_kind(catalogue, ""));
  if (!meant.empty()) return meant;
  std::vector<std::string> names;
  for (const std::string& known : ids_of_kind(catalogue, "")) names.push_back(after_slash(known));
  const auto near = closest(name, names);
  return near ? suggest_named(catalogue, *near) : "";
}

std::vector<std::string> ids_of_kind(const Catalogue& catalogue, std::string_view kind) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries())
    if (kind.empty() || entry->info.kind() == kind) ids.push_back(entry->info.id);
  return ids;
}

std::string list_kind(const Catalogue& catalogue, std::string_view kind) {
  const auto ids = ids_of_kind(catalogue, kind);
  if (ids.empty())
    return "no installed plugin has a component of kind " + std::string(kind) +
           "; `semblance list --paths` shows where plugins are searched for";
  return "components of kind " + std::string(kind) + ": " + enumerate_alternatives("", ids);
}

bool can_be_part(const ComponentInfo& info) {
  const KindInfo* kind = kind_named(info.kind());
  return kind && kind->has_ports_of(info);
}

const Catalogue::Entry* find_component(const YamlNode& id, const Catalogue& catalogue,
                                       Problems& problems, std::string_view kind) {
  if (id.is_invalid()) return nullptr;
  if (!id.is_scalar()) {
    problems.error(id.place, "'is' must be a component id, got " + id.describe(),
                   "write is: kind/name; `semblance list` shows all components");
    return nullptr;
  }
  const Catalogue::Entry* entry = catalogue.find(id.text);
  if (!entry) {
    report_unknown(id, catalogue, problems, std::string(kind));
    return nullptr;
  }
  if (!kind.empty() && entry->info.kind() != kind) {
    problems.error(id.place,
                   "a component of kind " + std::string(kind) + " is needed here, but " + id.text +
                       " is of kind " + std::string(entry->info.kind()),
                   list_kind(catalogue, kind));
    return nullptr;
  }
  if (!kind.empty() && !can_be_part(entry->info)) {
    problems.error(id.place,
                   id.text +
                       " cannot be a parameter of another component: its inputs or its output are "
                       "not those usual for components of kind " +
                       std::string(kind),
                   list_kind(catalogue, kind));
    return nullptr;
  }
  return entry;
}

std::string phrase(PortType type) {
  const bool one = type == PortType::basis || type == PortType::report;
  return std::string(one ? "a " : "") + name(type);
}

std::string phrase(const ComponentInfo& info, const std::string& input) {
  std::string text;
  for (const PortInfo& port : info.inputs)
    if (port.name == input) text += (text.empty() ? "" : " or ") + phrase(port.type);
  return text;
}

}  // namespace semblance
