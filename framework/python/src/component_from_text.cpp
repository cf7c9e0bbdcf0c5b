// SPDX-License-Identifier: MIT
#include "component_from_text.hpp"

#include "errors.hpp"
#include "pipeline/component_lookup.hpp"
#include "pipeline/component_reader.hpp"
#include "pipeline/yaml_syntax.hpp"
#include "registry/places.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::python {
namespace {

/// Parameters that the component does not have are reported.
void check_keys(const ComponentInfo& info, const YamlNode& body, Problems& problems) {
  const auto names = parameter_names(info);
  for (const YamlEntry& entry : body.entries)
    if (entry.key.text != "is" && !info.parameter(entry.key.text)) {
      std::string help = did_you_mean(entry.key.text, names);
      if (help.empty())
        help = names.empty() ? info.id + " has no parameters"
                             : "its parameters are " + enumerate(names);
      problems.error(entry.key.place, info.id + " has no parameter " + quote(entry.key.text), help);
    }
}

std::optional<ComponentConfig> read(const SourceText& source, const std::string& kind,
                                    const Catalogue& catalogue, Problems& problems) {
  if (!check_text(source, problems)) return std::nullopt;
  const auto body = parse_yaml(source, problems);
  if (!body) return std::nullopt;
  const YamlEntry* is = body->is_mapping() ? body->find("is") : nullptr;
  if (!is) {
    problems.error(source.whole(), "this is no component: it has no 'is'",
                   "write {is: " + kind + "/NAME}");
    return std::nullopt;
  }
  const auto* entry = find_component(is->value, catalogue, problems, kind);
  if (!entry) return std::nullopt;
  check_keys(entry->info, *body, problems);
  ComponentReader reader(catalogue, data_folder(""), problems);
  return reader.read(*entry, *body, is->key.place, {}).config;
}

}  // namespace

ComponentConfig component_from_text(const std::string& text, const std::string& kind,
                                    const Catalogue& catalogue) {
  const SourceText source("component", text);
  Problems problems;
  auto config = read(source, kind, catalogue, problems);
  if (!config || problems.errors() > 0) throw BadPipeline(problems.take());
  return *std::move(config);
}

}  // namespace semblance::python
