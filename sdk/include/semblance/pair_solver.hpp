// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "semblance/component.hpp"
#include "semblance/pairs.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// What a pair solver learns from.
struct PairTrainingSet {
  const Rows& rows;      ///< the training rows
  Layout layout;         ///< of a row
  const PairSet& pairs;  ///< of these rows, all with a label
  /// The number that the source gives each row (Dataset::number()); empty: its position.
  /// Similarity::set_bases() wants these numbers.
  std::span<const std::int64_t> row_numbers = {};
};

/// Kind `solver` too: learns from pairs of examples a function f(u, v) that is positive where u and
/// v belong to the same class (pairwise SVM, eq. (2)). It has the input `pairs` besides.
class PairSolver : public Component {
 public:
  static const KindInfo& kind_info();
  ~PairSolver() override;

  /// Told once, first, the layout of the rows to come. Throws Error when it cannot work with it.
  virtual void bind(const Layout& input) = 0;

  /// Learns. On a stop request it keeps the best model so far. Reports at least `certificate`,
  /// `objective`, and a duality gap or gradient norm.
  virtual void train(const PairTrainingSet& training, Report& report, Context& context) = 0;

  /// f(u, v) for pairs of any rows, one in `out` for each pair in the set's order. Does not look at
  /// the pairs' labels. Right after a training in which ranks learned together (distributed()),
  /// all of them call it alike, each with all rows and pairs: it may use Context::collectives() to
  /// share the work out, and gives every rank all scores. Elsewhere one process calls it alone.
  virtual void score(const Rows& rows, const PairSet& pairs, std::span<float> out,
                     Context& context) const = 0;

  /// Everything learned, so that a loaded component gives the same bits.
  virtual void save(StateWriter& writer) const = 0;
  virtual void load(const StateReader& reader, Context& context) = 0;
};

}  // namespace semblance
