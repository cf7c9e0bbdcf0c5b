// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/random.hpp"

namespace semblance {

/// In place of a part: the row is in none.
inline constexpr std::size_t no_part = static_cast<std::size_t>(-1);

/// Deals rows out to parts of relative sizes `shares`, so that all rows of a group are in one part
/// and every class is spread over the parts by their sizes as well as groups permit. Returns the
/// part of each row. As StratifiedGroupKFold of scikit-learn does: groups come in the order of
/// descending spread of their numbers of rows per class, those with equal spread by size, both
/// changed a little at random, so that seeds differ (the best of four such orders counts); each
/// goes to the part where the classes' mean deviation becomes smallest, to that with the fewest
/// rows on ties. No part gets all groups of a class that has several, unless every part would. With
/// at least as many groups as parts, no part is empty.
std::vector<std::size_t> deal_groups(std::span<const std::int32_t> labels,
                                     std::span<const std::int32_t> groups,
                                     std::span<const double> shares, Random random);

/// The classes, ascending, whose rows are all of one group. Rows without a class (negative) do not
/// count.
std::vector<std::int32_t> classes_of_one_group(std::span<const std::int32_t> labels,
                                               std::span<const std::int32_t> groups);

/// Those of them that every fold of a cross-validation has to learn from: all, but none where most
/// classes are so: persons, for example, that are compared in pairs.
std::vector<std::int32_t> classes_never_held_out(std::span<const std::int32_t> labels,
                                                 std::span<const std::int32_t> groups);

/// The part of each row in a cross-validation: `parts` parts of equal size. Groups with a class
/// that is never held out are in no part (no_part). Throws Error where fewer groups than parts are
/// left; `remedy` is what to do then: "lower 'folds' of select".
std::vector<std::size_t> parts_by_group(std::span<const std::int32_t> labels,
                                        std::span<const std::int32_t> groups, std::size_t parts,
                                        Random random, const std::string& remedy);

/// What a solver may be besides: one that divides its training rows to judge parts by others, and
/// then keeps those of a group together.
class GroupedLearner {
 public:
  virtual ~GroupedLearner();

  /// Before it learns: the group of each training row (Dataset::groups()); empty: they have none.
  void set_groups(std::span<const std::int32_t> groups) { groups_ = groups; }

 protected:
  /// Those that set_groups() was told, valid while it learns.
  std::span<const std::int32_t> groups() const noexcept { return groups_; }

 private:
  std::span<const std::int32_t> groups_;
};

}  // namespace semblance
