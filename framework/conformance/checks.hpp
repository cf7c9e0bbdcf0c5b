// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "conformance/check.hpp"
#include "conformance/subject.hpp"

/// The checks by subject matter. All refer to the subject, which must outlive them.
namespace semblance::conformance {

using NamedCheck = std::pair<const char*, void (*)(const Subject&)>;
/// Adds these checks of the subject.
inline void add(std::vector<Check>& checks, const Subject& subject,
                std::initializer_list<NamedCheck> named) {
  for (const auto& [name, check] : named)
    checks.push_back({name, [&subject, run = check] { run(subject); }});
}

void add_declaration_checks(std::vector<Check>& checks, const Subject& subject);
void add_repetition_checks(std::vector<Check>& checks, const Subject& subject, const Trial& trial);
/// These, and whether a saved and loaded component gives the same.
void add_repetition_and_reload_checks(std::vector<Check>& checks, const Subject& subject,
                                      const Trial& trial);

/// Whether what learns asks if it should stop, with as many samples as that takes.
void add_long_training_check(std::vector<Check>& checks, const Subject& subject);

/// The checks of features, normalizers, similarities, solvers and calibrators.
void add_transform_checks(std::vector<Check>& checks, const Subject& subject);
/// The checks of normalizers and novelty detectors with samples whose target is not classes.
void add_target_checks(std::vector<Check>& checks, const Subject& subject);
void add_state_checks(std::vector<Check>& checks, const Subject& subject);

void add_similarity_checks(std::vector<Check>& checks, const Subject& subject);
/// The checks of what solvers of samples and calibrators give.
void add_output_checks(std::vector<Check>& checks, const Subject& subject);
/// The checks of all solvers of samples, and those of regressors.
void add_learner_checks(std::vector<Check>& checks, const Subject& subject);
void add_regressor_checks(std::vector<Check>& checks, const Subject& subject);
/// The checks of solvers that are declared takes_weights().
void add_weight_checks(std::vector<Check>& checks, const Subject& subject);
void add_source_checks(std::vector<Check>& checks, const Subject& subject);
void add_basis_checks(std::vector<Check>& checks, const Subject& subject);
void add_evaluator_checks(std::vector<Check>& checks, const Subject& subject);
void add_pairs_checks(std::vector<Check>& checks, const Subject& subject);
void add_pair_kernel_checks(std::vector<Check>& checks, const Subject& subject);
void add_pair_solver_checks(std::vector<Check>& checks, const Subject& subject);

/// All checks of a component, according to its kind and its declaration. The subject must outlive
/// them.
std::vector<Check> checks_of(const Subject& subject);

}  // namespace semblance::conformance
