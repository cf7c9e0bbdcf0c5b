// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// How a solver ended. Reported as text under the node's `certificate`.
enum class Certificate { converged, iteration_limit, deadline, cancelled };

/// "converged", "iteration limit", "deadline" or "cancelled".
const char* name(Certificate certificate) noexcept;

/// Kind `solver`: learns a classifier and gives every sample one score a class, the larger the
/// likelier; as a Transform it maps a sample to its vector of class scores. bind() may return
/// depth 0 until it is trained or loaded.
class Solver : public Transform {
 public:
  ~Solver() override;

  /// Learns. On a stop request it keeps the best model so far. Reports at least `certificate`,
  /// `objective`, and a duality gap or gradient norm.
  virtual void train(const TrainingSet& training, Report& report, Context& context) = 0;
};

}  // namespace semblance
