// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "study/study.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// The combinations that a study compares, each with one alternative per slot: the listed ones or
/// the full product, the first slot varying slowest, without those that filters exclude. Reports
/// filters that match nothing, and studies without combinations or with too many.
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
void describe_choices(const StudySpecification& study, std::size_t combinations, Study& checked);

}  // namespace semblance
