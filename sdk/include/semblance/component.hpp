// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance/layout.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance {

struct KindInfo;

/// The root of all components. The runtime creates one, assigns its parameters, calls
/// check_parameters() and only then anything else.
class Component {
 public:
  virtual ~Component();

  /// Checks what ranges cannot express (such as two parameters that exclude each other). Throws
  /// Error with one sentence. Called when a pipeline is checked, before anything runs.
  virtual void check_parameters() const {}

  /// The files that the component will read. The runtime checks that they exist, and their content
  /// is part of an artifact's address.
  virtual std::vector<std::string> files() const { return {}; }

  /// Whether a component declared distributed() can learn on several ranks with these parameters.
  virtual bool distributes() const { return true; }
};

/// A component that maps each row to another row, independently of other rows. It may learn from
/// the training samples first.
class Transform : public Component {
 public:
  ~Transform() override;

  /// Takes the layout of its input and returns that of its output. Called once, before anything
  /// else. Throws Error if it cannot work with that layout.
  virtual Layout bind(const Layout& input) = 0;

  /// The size of the output row for an input row of `values` values. Called only if bind() returned
  /// a layout whose samples differ in size. The default returns `values`.
  virtual std::size_t values_of(std::size_t values) const { return values; }

  /// Whether rows of one size can give rows of several, by what they hold, such as counts in sparse
  /// columns. Then values_of() gives the most values that an input row of a size can make.
  virtual bool sized_by_content() const noexcept { return false; }

  /// If sized_by_content(): the number of values of each output row. Called when apply() may be
  /// called, and with the same rows. Thread-safe; the result for a row must not depend on the other
  /// rows. Throws Cancelled on a stop request.
  virtual void count_values(MatrixView in, std::span<std::size_t> sizes, Context& context) const;

  /// Maps `in` (n x input size) to `out` (n x output size). Thread-safe. The result for a row must
  /// not depend on the other rows, on the block or on its position. If samples differ in size, so
  /// do the rows of both (MatrixView::row_span()).
  virtual void apply(MatrixView in, MutableMatrixView out, Context& context) const = 0;

  /// Saves everything learned, so that a loaded component gives the same bits.
  virtual void save(StateWriter&) const {}
  virtual void load(const StateReader&, Context&) {}
};

}  // namespace semblance
