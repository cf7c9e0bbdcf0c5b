// SPDX-License-Identifier: MIT
// The catalogue without plugins: enough for these tests where the registry is not built.
#include "registry/catalogue.hpp"
#include "semblance/error.hpp"

namespace semblance {

void Catalogue::add(Entry entry, Creator creator) {
  const std::string id = entry.info.id;
  if (!items_.emplace(id, Item{std::move(entry), std::move(creator)}).second)
    throw Error(id + " is declared twice");
}

const Catalogue::Entry* Catalogue::find(std::string_view id) const {
  const auto found = items_.find(id);
  return found == items_.end() ? nullptr : &found->second.entry;
}

std::vector<const Catalogue::Entry*> Catalogue::entries() const {
  std::vector<const Entry*> all;
  for (const auto& [id, item] : items_) all.push_back(&item.entry);
  return all;
}

std::unique_ptr<Component> Catalogue::create(const ComponentConfig& config) const {
  return items_.at(config.id).creator(config);
}

}  // namespace semblance
