// SPDX-License-Identifier: MIT
#include "registry/catalogue.hpp"

#include "registry/figures.hpp"
#include "semblance/error.hpp"

namespace semblance {

void Catalogue::add(Entry entry, Creator creator) {
  const std::string id = entry.info.id;
  const auto found = items_.find(id);
  if (found != items_.end()) {
    throw Error("component '" + id + "' appears twice: from '" +
                found->second.entry.plugin->library.string() + "' and '" +
                entry.plugin->library.string() + "'; remove one of them from the plugin path");
  }
  for (const FigureInfo& figure : runtime_figures(entry.info))
    if (!entry.info.figure(figure.name)) entry.info.figures.push_back(figure);
  items_.emplace(id, Item{std::move(entry), std::move(creator)});
}

const Catalogue::Entry* Catalogue::find(std::string_view id) const {
  const auto found = items_.find(id);
  return found == items_.end() ? nullptr : &found->second.entry;
}

std::pair<const Catalogue::Entry*, const FormerName*> Catalogue::find_former_id(
    std::string_view id) const {
  for (const auto& [known, item] : items_)
    if (const FormerName* name = find_former(item.entry.info.former, id))
      return {&item.entry, name};
  return {};
}

std::vector<const Catalogue::Entry*> Catalogue::entries() const {
  std::vector<const Entry*> all;
  for (const auto& [id, item] : items_) all.push_back(&item.entry);
  return all;
}

std::unique_ptr<Component> Catalogue::create(const ComponentConfig& config) const {
  return create(config, *this);
}

std::unique_ptr<Component> Catalogue::create(const ComponentConfig& config,
                                             const Catalogue& nested) const {
  const auto found = items_.find(config.id);
  if (found == items_.end()) throw Error("unknown component '" + config.id + "'");
  return found->second.creator(config, nested);
}

}  // namespace semblance
