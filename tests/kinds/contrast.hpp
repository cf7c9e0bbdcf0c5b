// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"
#include "semblance/declaration.hpp"
#include "semblance/kind.hpp"

namespace semblance {

/// A kind for tests only: subtracts from each sample the part explained by another view of it.
class __attribute__((visibility("default"))) Contrast : public Component {
 public:
  static const KindInfo& kind_info() {
    static const KindInfo info = {
        "contrast",
        "Subtracts from samples what others explain of them.",
        {samples_port(), {"against", PortType::samples, {}, false, true, "the others"}},
        samples_output()};
    return info;
  }

  /// Both have the same number of columns.
  virtual void fit(const Rows& from, const Rows& against, Context& context) = 0;
  virtual void apply(MatrixView from, MatrixView against, MutableMatrixView out,
                     Context& context) const = 0;
  virtual void save(StateWriter& state) const = 0;
  virtual void load(const StateReader& state, Context& context) = 0;
};

}  // namespace semblance
