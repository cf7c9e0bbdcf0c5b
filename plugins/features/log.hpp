// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// log(x + 1), value by value.
class Log final : public Feature {
 public:
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Log> declare();
};

}  // namespace semblance
