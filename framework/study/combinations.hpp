// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "study/study.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// The alternatives of a slot that are possible after the choices before it: all, or those that
/// belong to the alternative chosen for the slot's parent; where none does, the one that stands for
/// no alternative.
std::vector<std::size_t> possible_alternatives(const std::vector<Slot>& slots, std::size_t slot,
                                               const std::vector<std::size_t>& before);

/// All combinations of the alternatives that the selector names, or of all of a slot that it does
/// not name. A slot that a combination does not have is passed over, whether named or not.
std::vector<std::vector<std::size_t>> selected(const std::vector<Slot>& slots,
                                               const Selector& selector);

/// The combinations that a study compares, each with one alternative per slot: the listed ones, the
/// full product, the first slot varying slowest, or the baseline and all changes of one slot of it;
/// without those that filters exclude. Reports filters that match nothing, and studies without
/// combinations or with too many.
std::vector<std::vector<std::size_t>> combinations(const StudySpecification& study,
                                                   Problems& problems);

/// The index of the baseline's combination; nothing: there is none, or an error was reported.
std::optional<std::size_t> find_baseline(const StudySpecification& study,
                                         const std::vector<std::vector<std::size_t>>& combinations,
                                         Problems& problems);

/// "features=zscore,C=1"
std::string combination_name(const StudySpecification& study,
                             const std::vector<std::size_t>& choices);

/// The combination's name with its repeat; "variant_7" where that is too long for a folder.
std::string variant_name(std::string combination, const std::string& repeat, std::size_t number);

/// Sets in `checked` what is compared: metric, slots, repeats and the number of combinations.
/// Alternatives of one name are one in the description: gamma=1 of two kernels.
void describe_choices(const StudySpecification& study, std::size_t combinations, Study& checked);

/// The choices as indices of these described slots.
std::vector<std::size_t> described_choices(const StudySpecification& study,
                                           const std::vector<StudySlot>& slots,
                                           const std::vector<std::size_t>& choices);

}  // namespace semblance
