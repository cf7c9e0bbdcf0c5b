// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace semblance {

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

/// Names of targets that the data do not name: "target" of a single one, else "target 1" and so on.
std::vector<std::string> numbered_targets(std::size_t count);

/// Takes a problem, and does not return.
using ColumnFailure = std::function<void(const std::string&)>;

/// The column of a name or number, if any. A number that is also a name is treated as the name.
std::optional<std::size_t> column_of(const std::string& wanted, std::span<const std::string> names,
                                     std::size_t fields);

/// The same for a parameter; fails if there is none. `names` is empty without a header.
std::size_t required_column(const std::string& wanted, const char* parameter,
                            std::span<const std::string> names, std::size_t fields,
                            const ColumnFailure& fail);

/// Finds the columns of a table by name or number, also where there are thousands.
class ColumnLookup {
 public:
  /// `names`: of the columns, or empty. Both must live as long.
  ColumnLookup(std::span<const std::string> names, std::size_t fields, const ColumnFailure& fail);

  /// The column of a name or number, if any; the first of several of that name.
  std::optional<std::size_t> find(const std::string& wanted) const;
  /// The one that a parameter refers to; fails if there is none, or several.
  std::size_t required(const std::string& wanted, const char* parameter) const;
  /// All columns of a name.
  std::span<const std::size_t> named(const std::string& name) const;

 private:
  std::span<const std::string> names_;
  std::size_t fields_;
  const ColumnFailure& fail_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> places_;  ///< of each name
};

/// Whether the texts are 0, 1, 2, ...: how pandas calls columns that have no names.
bool counts_from_zero(std::span<const std::string_view> texts);

}  // namespace semblance
