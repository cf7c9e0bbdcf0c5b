// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/component.hpp"

namespace semblance {

/// Kind `basis`: chooses the training samples that samples are compared with (BE-SVM, section 3.4).
class Basis : public Component {
 public:
  static const KindInfo& kind_info();
  ~Basis() override;

  /// Whether select() reads the rows' values. If not, they are not computed for it.
  virtual bool uses_rows() const { return false; }

  /// Indices of training samples, without repetition, in the order of the map's columns. Throws
  /// Error when there are too few samples.
  virtual std::vector<std::int64_t> select(const TrainingSet& training, Context& context) = 0;

  /// How many bases select() will return, for estimates.
  virtual std::size_t count(std::size_t training_rows, std::size_t classes) const = 0;
};

}  // namespace semblance
