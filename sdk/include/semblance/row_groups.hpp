// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/random.hpp"

namespace semblance {

/// The part of a row that is in none.
inline constexpr std::size_t no_part = static_cast<std::size_t>(-1);

/// Distributes samples to parts of relative sizes `shares`, so that all samples of a group are in
/// one part and every class is spread over the parts by their sizes as well as the groups permit.
/// Returns the part of each sample. The method is that of scikit-learn's StratifiedGroupKFold.
/// Groups are ordered by descending spread of their sample counts per class, then by size, both
/// with a little random noise so that seeds differ; the best of four such orders is used. Each
/// group goes to the part where the mean deviation of the classes becomes smallest; ties go to the
/// part with the fewest samples. No part gets all groups of a class that has several, unless every
/// part would. With at least as many groups as parts, no part is empty.
std::vector<std::size_t> deal_groups(std::span<const std::int32_t> labels,
                                     std::span<const std::int32_t> groups,
                                     std::span<const double> shares, Random random);

/// The classes, ascending, whose samples are all in one group. Samples without a class (negative)
/// do not count.
std::vector<std::int32_t> classes_of_one_group(std::span<const std::int32_t> labels,
                                               std::span<const std::int32_t> groups);

/// The classes of one group that every fold of a cross-validation must learn from: all of them, but
/// none if most classes are of this sort, such as persons compared in pairs.
std::vector<std::int32_t> classes_never_held_out(std::span<const std::int32_t> labels,
                                                 std::span<const std::int32_t> groups);

/// The part of each sample in a cross-validation with `parts` parts of equal size. Groups with a
/// class that is never held out are in no part (no_part). Throws Error if fewer groups than parts
/// remain; `remedy` says what to do then: "lower 'folds' of select".
std::vector<std::size_t> parts_by_group(std::span<const std::int32_t> labels,
                                        std::span<const std::int32_t> groups, std::size_t parts,
                                        Random random, const std::string& remedy);

}  // namespace semblance
