// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/row_facts.hpp"
#include "semblance_tables/column_lookup.hpp"

namespace semblance::sources {

/// Where the lines of a table have them.
struct FactColumns {
  std::optional<std::size_t> label, id, weight, group;
  std::vector<std::optional<std::size_t>> targets;

  /// What a line says of its row, without blanks.
  FactTexts texts(std::span<const std::string_view> fields) const;
  /// Names of the targets: `known` ones, those of their columns, or "target" and so on.
  std::vector<std::string> target_names(const FactNames& wanted, std::span<const std::string> names,
                                        const std::vector<std::string>& known) const;
};

/// Finds them among columns with these names. Each must be another column, and none of those
/// `taken` by other parameters; only names of rows may be what is read as something else, too.
/// `may_lack`: rows that are not learned from need none of them.
FactColumns find_facts(const FactNames& wanted, std::span<const std::string> names,
                       std::size_t fields, std::vector<std::pair<std::size_t, const char*>> taken,
                       bool may_lack, const ColumnFailure& fail);

}  // namespace semblance::sources
