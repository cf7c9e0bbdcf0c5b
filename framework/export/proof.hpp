// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "export/c_program.hpp"
#include "export/machine.hpp"

namespace semblance {

/// What a comparison of an exported form with the model has shown.
struct Proof {
  std::size_t rows = 0;
  std::size_t ties = 0;   ///< rows whose class, or a vote, rounding alone decides
  double scale = 0;       ///< the largest magnitude of a score of the model
  double difference = 0;  ///< the largest of two scores, rows with ties left out
  double tolerance = 0;   ///< how much of the scale was allowed
  std::string by;         ///< who computed the exported form
};

/// The default of how much scores may differ, as a part of the largest: a thousand units in the
/// last place of float32, as sums of a thousand terms in another order make. What is usual is a
/// hundred times less, and what is wrong is seldom below a thousandth.
inline constexpr double default_tolerance = 1e-4;

/// Computes scores of dense rows by the exported form.
using ExportedForm = std::function<ExportedScores(MatrixView rows)>;

/// Compares classes and scores of all test rows of the machine's data set (all rows where it has no
/// test rows, or gives new data). Throws Error where the exported form gives another class, or a
/// score that differs by more than `tolerance` of the largest, naming the row that is worst.
Proof prove(Session& session, const ExportedMachine& machine, std::size_t target, std::size_t from,
            const ExportedForm& form, double tolerance);

/// "10,000 rows, the same classes, scores differ by 1.2e-7 of the largest at most".
std::string proof_text(const Proof& proof);

}  // namespace semblance
