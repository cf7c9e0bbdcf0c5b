// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/layout.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance {

struct KindInfo;

/// What a component learns from, for estimates.
struct LearningSize {
  std::size_t rows = 0;     ///< training rows
  std::size_t values = 0;   ///< of a row, at most
  std::size_t classes = 0;  ///< 0: none, or not known
  std::size_t pairs = 0;    ///< training pairs; 0: it does not learn from pairs
  std::size_t ranks = 1;
};

/// What each rank sends to the others while they learn together, in one of the steps that the
/// component repeats, and how many of these there are, as far as one can say: 0 is not known.
struct Exchange {
  double bytes = 0;
  double steps = 0;
};

/// The root of all components. The runtime creates one, assigns its parameters, calls
/// check_parameters() and only then anything else.
class Component {
 public:
  virtual ~Component();

  /// What ranges alone cannot say (two parameters that exclude each other): throws Error with one
  /// sentence. Called when a pipeline is checked, before anything runs.
  virtual void check_parameters() const {}

  /// The files the component will read; the runtime checks that they exist, and their content is
  /// part of what an artifact is addressed by.
  virtual std::vector<std::string> files() const { return {}; }

  /// Of a component that is declared distributed(): whether it can learn so with these parameters.
  virtual bool distributes() const { return true; }

  /// Of the same: what ranks send each other while it learns (`semblance plan --ranks`).
  virtual Exchange exchange(const LearningSize&) const { return {}; }
};

/// A component that maps each row on its own to another row, after having learned, where it
/// learns, from the training rows.
class Transform : public Component {
 public:
  ~Transform() override;

  /// Told once, first, the layout of the rows to come; returns the layout of its own rows. Throws
  /// Error when it cannot work with that layout.
  virtual Layout bind(const Layout& input) = 0;

  /// How many values the row has that is made from a row of `values` values. Asked only where
  /// bind() returned a layout whose samples differ in size. As it is: as many.
  virtual std::size_t values_of(std::size_t values) const { return values; }

  /// Maps `in` (n x input size) to `out` (n x output size). Thread-safe, and the result for a row
  /// must not depend on the rows around it: not on the block, not on the position. Where samples
  /// differ in size, both give each row its own (MatrixView::row_span()).
  virtual void apply(MatrixView in, MutableMatrixView out, Context& context) const = 0;

  /// Everything learned, so that a loaded component gives the same bits.
  virtual void save(StateWriter&) const {}
  virtual void load(const StateReader&, Context&) {}
};

}  // namespace semblance
