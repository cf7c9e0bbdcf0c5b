// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "semblance/component.hpp"
#include "semblance/pairs.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// The training data of a pair solver.
struct PairTrainingSet {
  const Rows& rows;      ///< the training samples
  Layout layout;         ///< of a row
  const PairSet& pairs;  ///< pairs of these rows, all with a label
  /// The number that the source gives each row (Dataset::number()); empty: its position.
  /// Similarity::set_bases() takes these numbers.
  std::span<const std::int64_t> row_numbers = {};
};

/// Also of kind `solver`: learns a function f(u, v) from pairs of examples that is positive if u
/// and v belong to the same class (pairwise SVM, eq. (2)). It has the additional input `pairs`.
class PairSolver : public Component {
 public:
  static const KindInfo& kind_info();
  ~PairSolver() override;

  /// Takes the layout of the input rows. Called once, before anything else. Throws Error if it
  /// cannot work with the layout.
  virtual void bind(const Layout& input) = 0;

  /// Learns. On a stop request it returns with the best model so far. Reports at least
  /// `certificate`, `objective`, and a duality gap or gradient norm.
  virtual void train(const PairTrainingSet& training, Report& report, Context& context) = 0;

  /// Computes f(u, v) for pairs of any rows, one value in `out` per pair in the set's order.
  /// Ignores the pairs' labels. Right after a training on several ranks (distributed()), all ranks
  /// call it alike, each with all rows and pairs. It may then use Context::collectives() to share
  /// the work, and gives every rank all scores. Otherwise a single process calls it.
  virtual void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
                     Context& context) const = 0;

  /// Saves everything learned, so that a loaded component gives the same bits.
  virtual void save(StateWriter& writer) const = 0;
  virtual void load(const StateReader& reader, Context& context) = 0;
};

}  // namespace semblance
