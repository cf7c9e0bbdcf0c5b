// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "row_facts.hpp"

namespace semblance::sources {

/// The columns of a table that say something of its rows, as parameters name them: by name or
/// number.
struct FactNames {
  std::string label = "none";             ///< or none
  std::vector<std::string> targets = {};  ///< of numbers to predict
  std::string id = {};                    ///< empty: none
  std::string weight = {};                ///< the same
  std::string groups = {};                ///< the same

  /// All that are given, and the parameters that give them.
  std::vector<std::pair<std::string, const char*>> all() const;
  /// Whether one of them is a name, not a number.
  bool any_is_name() const;
  /// Whether one of them is a name among these fields.
  bool any_is_among(std::span<const std::string_view> fields) const;
};

/// Takes a problem, and does not return.
using ColumnFailure = std::function<void(const std::string&)>;

/// The column of a name or number, if any. A number that is also a name is treated as the name.
std::optional<std::size_t> column_of(const std::string& wanted, std::span<const std::string> names,
                                     std::size_t fields);

/// The same for a parameter; fails if there is none. `names` is empty without a header.
std::size_t required_column(const std::string& wanted, const char* parameter,
                            std::span<const std::string> names, std::size_t fields,
                            const ColumnFailure& fail);

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
