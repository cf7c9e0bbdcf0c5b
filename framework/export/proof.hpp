// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "export/c_program.hpp"
#include "export/machine.hpp"
#include "semblance/formula.hpp"

namespace semblance {

/// One decision of a comparison (Operation::where_greater): a step, and the index of the value.
struct Decision {
  std::size_t step = 0;
  std::size_t value = 0;
};

/// The result of a formula for one row: the values of every step, all in float64, independent of
/// the step's type. For questions about a row, not for speed. Decisions that are `turned` are
/// inverted.
std::vector<std::vector<double>> evaluate(const Formula& formula, std::span<const float> row,
                                          std::span<const Decision> turned = {});

/// Whether rounding explains that two forms give these scores of a row. Each of them must be within
/// `allowed` of the formula's result, either unchanged or with some decisions inverted. Only
/// decisions whose sides differ by at most `tolerance` of the largest compared value are inverted.
bool explained_by_rounding(const Formula& formula, Formula::Value result,
                           std::span<const float> row, std::span<const float> one,
                           std::span<const float> other, double allowed, double tolerance);

/// The outcome of comparing an exported form with the model.
struct Proof {
  std::size_t rows = 0;
  std::size_t ties = 0;       ///< rows whose class, or one of whose votes, depends only on rounding
  double scale = 0;           ///< the largest magnitude of a score of the model
  double difference = 0;      ///< the largest between two scores, without rows with ties
  double tolerance = 0;       ///< the allowed difference, as a part of the scale
  const char* compared = "";  ///< "classes" or "decisions", if they were compared too
  std::string by;             ///< the program that computed the exported form
};

/// The default for the allowed difference of scores, relative to the largest: a thousand units in
/// the last place of float32, as from sums of a thousand terms in another order. Usual differences
/// are a hundred times smaller, and errors are seldom below a thousandth.
inline constexpr double default_tolerance = 1e-4;

/// Computes scores of dense rows by the exported form.
using ExportedForm = std::function<ExportedScores(MatrixView rows)>;

/// Compares classes and scores of all test samples of the machine's data set (all samples where it
/// has no test samples, or gives new data). Throws Error where the exported form gives another
/// class, or a score that differs by more than `tolerance` of the largest, naming the worst row.
Proof prove(RunProgress& progress, RunData& data, const ExportedMachine& machine,
            std::size_t target, std::size_t from, const ExportedForm& form, double tolerance);

/// "10,000 rows, the same classes, scores differ by 1.2e-7 of the largest at most".
std::string proof_text(const Proof& proof);

}  // namespace semblance
