// SPDX-License-Identifier: MIT
#include "study/idle_changes.hpp"

#include <algorithm>

namespace semblance {
namespace {

/// Whether `change` sets what `given` sets, or something that contains it.
bool covers(const Override& change, const Override& given) {
  const auto same_text = [](const YamlNode& a, const YamlNode& b) { return a.text == b.text; };
  return !change.path.empty() && change.path.size() <= given.path.size() &&
         std::equal(change.path.begin(), change.path.end(), given.path.begin(), same_text);
}

bool covers(const Slot& slot, const Override& given) {
  const auto alternative_covers = [&](const Alternative& alternative) {
    return std::ranges::any_of(alternative.changes,
                               [&](const Override& change) { return covers(change, given); });
  };
  return !slot.alternatives.empty() && std::ranges::all_of(slot.alternatives, alternative_covers);
}

}  // namespace

void warn_of_idle_changes(const std::vector<Override>& given, const std::vector<Slot>& slots,
                          const std::string& where, Problems& problems) {
  for (const Override& change : given)
    for (const Slot& slot : slots)
      if (covers(slot, change))
        problems.warning(
            change.path.back().place,
            "this change has no effect: '" + where + "." + slot.name + "' tries values of its own",
            "change those values instead");
}

}  // namespace semblance
