// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "study/alternative_reader.hpp"

namespace semblance {

/// Reads what a study or selection varies: its slots, and which combinations of their alternatives
/// there are. Errors are reported with their place, and the faulty parts omitted.
class SlotReader : protected AlternativeReader {
 protected:
  SlotReader(const YamlEntry& entry, Problems& problems)
      : AlternativeReader(entry.key.text, problems), body_(entry.value) {}

  void read_slots(const YamlNode& slots);
  void read_choice();
  /// {SLOT: ALTERNATIVE or [ALTERNATIVE, ...]}; nothing: reported.
  std::optional<Selector> read_selector(const YamlNode& value);

  StudySpecification study_;
  const YamlNode& body_;

 private:
  std::string one_slot() const;
  /// Slots that exist only with an alternative of their parent, if they have one.
  void read_slots(const YamlNode& slots, std::optional<std::size_t> parent, std::size_t only_with);
  /// The new slot of this name, or the one that another alternative of the parent has already.
  std::optional<std::size_t> slot_of(const YamlEntry& entry, std::optional<std::size_t> parent);
  void read_slot(const YamlEntry& entry, std::size_t place, std::size_t only_with);
  /// A name must not round two different numbers.
  void check_number(const YamlEntry& entry, const Alternative& added, const Slot& slot);
  void add_absent_alternatives();
  void read_combine(const YamlNode& value);
  /// Lists the combinations of the alternatives that the selector names.
  void list(const YamlNode& item, const Selector& selector);
  std::vector<Selector> read_filters(const YamlEntry& entry);
  bool select(const Slot& slot, const YamlNode& name, std::set<std::size_t>& wanted);
};

}  // namespace semblance
