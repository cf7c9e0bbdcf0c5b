// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/pipeline_options.hpp"
#include "registry/component_info_json.hpp"
#include "semblance/kind.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::cli {

int list_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("list");
  options::options_description described("options", 100);
  add_plugin_option(described);
  described.add_options()("paths", "where plugins were searched for, and what was found there")(
      "json", "everything, as JSON");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const Discovery found = discover(*values);
  const std::string kind = values->count("argument") ? required_argument(*values, verb) : "";
  if (!kind.empty() && std::ranges::find(kinds(), kind) == kinds().end()) {
    throw UsageError("unknown kind '" + kind + "'; choose from: " + enumerate(kinds()));
  }
  if (values->count("paths")) {
    fmt::print("{}", describe(found.trials));
    return done;
  }
  auto json = nlohmann::ordered_json::array();
  std::string last;
  std::size_t width = 0;
  for (const auto* entry : found.catalogue.entries())
    width = std::max(width, entry->info.id.size());
  for (const auto* entry : found.catalogue.entries()) {
    if (!kind.empty() && entry->info.kind() != kind) continue;
    if (values->count("json")) {
      json.push_back(to_json(entry->info));
      json.back()["plugin"] = entry->plugin->name;
      continue;
    }
    if (!last.empty() && last != entry->info.kind()) fmt::print("\n");
    last = entry->info.kind();
    fmt::print("{:<{}} {}\n", entry->info.id, width, entry->info.summary);
  }
  if (values->count("json")) std::cout << json.dump(2) << "\n";
  return done;
}

}  // namespace semblance::cli
