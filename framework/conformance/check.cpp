// SPDX-License-Identifier: MIT
#include "conformance/check.hpp"

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "semblance/error.hpp"

namespace semblance::conformance {

Finding run(const Check& check) {
  try {
    check.run();
    return {};
  } catch (const NotApplicable& reason) {
    return {Verdict::not_applicable, reason.what()};
  } catch (const Remark& remark) {
    return {Verdict::remark, remark.what()};
  } catch (const Failed& failure) {
    return {Verdict::failed, failure.what()};
  } catch (const Error& error) {
    return {Verdict::failed, std::string("it threw the error: ") + error.what()};
  } catch (const std::exception& other) {
    return {Verdict::failed,
            std::string("it threw an exception that is not a semblance::Error: ") + other.what()};
  } catch (...) {
    return {Verdict::failed, "it threw an object that is not a std::exception"};
  }
}

namespace {

/// Whether it can be made without further parameters; otherwise the last of the declaration checks
/// says so.
bool can_be_made(const Subject& subject) {
  try {
    subject.config();
    return true;
  } catch (const NotApplicable&) {
  } catch (const Failed&) {
  }
  return false;
}

}  // namespace

std::vector<Check> checks_of(const Subject& subject) {
  std::vector<Check> checks;
  add_declaration_checks(checks, subject);
  if (!can_be_made(subject)) return checks;
  const auto kind = subject.info().kind();
  const bool of_pairs = subject.info().input("pairs") != nullptr;
  const bool learner = kind == "solver" && !of_pairs, calibrator = kind == "calibrator";
  if (kind == "source") add_source_checks(checks, subject);
  if (kind == "feature" || kind == "normalizer" || kind == "similarity" || calibrator || learner) {
    add_transform_checks(checks, subject);
    add_repetition_and_reload_checks(checks, subject, transform_trial);
    add_state_checks(checks, subject);
  }
  if (kind == "normalizer" || calibrator || learner) add_long_training_check(checks, subject);
  if (kind == "similarity") add_similarity_checks(checks, subject);
  if (learner) {
    add_learner_checks(checks, subject);
    add_weight_checks(checks, subject);
  }
  if (kind == "normalizer") add_target_checks(checks, subject);
  if (learner || calibrator) add_output_checks(checks, subject);
  if (kind == "solver" && of_pairs) add_pair_solver_checks(checks, subject);
  if (kind == "basis") add_basis_checks(checks, subject);
  if (kind == "pairs") add_pairs_checks(checks, subject);
  if (kind == "pair_kernel") add_pair_kernel_checks(checks, subject);
  if (kind == "evaluator") add_evaluator_checks(checks, subject);
  return checks;
}

}  // namespace semblance::conformance
