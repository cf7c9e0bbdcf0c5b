// SPDX-License-Identifier: MIT
#include "pipeline/component_lookup.hpp"

#include <algorithm>

#include "pipeline/suggestion.hpp"
#include "semblance/component_info.hpp"

namespace semblance {
namespace {

/// Ids whose part after the slash is `name`.
std::vector<std::string> ids_named(const Catalogue& catalogue, std::string_view name) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries()) {
    const std::string_view id = entry->info.id;
    if (id.substr(std::min(id.find('/'), id.size() - 1) + 1) == name) ids.emplace_back(id);
  }
  return ids;
}

std::string suggest_ids(const std::vector<std::string>& ids) {
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < ids.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == ids.size() ? " or '" : ", '") + ids[i] + "'";
  return text + "?";
}

void report_unknown(const YamlNode& node, const Catalogue& catalogue, Problems& problems,
                    std::string_view kind_wanted) {
  const std::string& id = node.text;
  const auto slash = id.find('/');
  const std::string kind = slash == std::string::npos ? "" : id.substr(0, slash);
  const std::string name = slash == std::string::npos ? id : id.substr(slash + 1);
  const bool known_kind = std::find(kinds().begin(), kinds().end(), kind) != kinds().end();

  std::string message = "unknown component " + quote(id);
  if (slash == std::string::npos)
    message = quote(id) + " is not a component's id, which is kind/name";
  else if (!known_kind)
    message = "unknown kind " + quote(kind) + " in " + quote(id);

  std::string help;
  const auto same_name = ids_named(catalogue, name);
  if (problems.full()) {
    // nobody will read it
  } else if (!same_name.empty()) {
    help = suggest_ids(same_name);
  } else if (help = did_you_mean(id, ids_of_kind(catalogue, known_kind ? kind : ""));
             help.empty() && known_kind) {
    help = list_kind(catalogue, kind);
  } else if (help.empty() && !kind_wanted.empty()) {
    help = list_kind(catalogue, kind_wanted);
  } else if (help.empty()) {
    help = "the kinds are " + enumerate(kinds()) + "; `semblance list` shows all components";
  }
  problems.error(node.place, message, help);
}

}  // namespace

std::vector<std::string> ids_of_kind(const Catalogue& catalogue, std::string_view kind) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries())
    if (kind.empty() || entry->info.kind() == kind) ids.push_back(entry->info.id);
  return ids;
}

std::string list_kind(const Catalogue& catalogue, std::string_view kind) {
  const auto ids = ids_of_kind(catalogue, kind);
  if (ids.empty())
    return "no plugin with a component of kind " + std::string(kind) +
           " was found; `semblance doctor` shows where plugins are looked for";
  return "of kind " + std::string(kind) + (ids.size() == 1 ? " there is: " : " there are: ") +
         enumerate(ids);
}

const Catalogue::Entry* find_component(const YamlNode& id, const Catalogue& catalogue,
                                       Problems& problems, std::string_view kind) {
  if (id.is_invalid()) return nullptr;
  if (!id.is_scalar()) {
    problems.error(id.place, "'is' must be a component's id, got " + id.describe(),
                   "write kind/name, for example is: feature/hog");
    return nullptr;
  }
  const Catalogue::Entry* entry = catalogue.find(id.text);
  if (!entry) {
    report_unknown(id, catalogue, problems, kind);
    return nullptr;
  }
  if (!kind.empty() && entry->info.kind() != kind) {
    problems.error(id.place,
                   "a component of kind " + std::string(kind) + " is needed here, but " + id.text +
                       " is of kind " + std::string(entry->info.kind()),
                   list_kind(catalogue, kind));
    return nullptr;
  }
  return entry;
}

}  // namespace semblance
