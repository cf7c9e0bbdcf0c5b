// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// log(x + 1), value by value.
class Log final : public RowFeature, public Exportable {
 public:
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<Log> declare();

 private:
  void transform(std::span<const float> in, std::span<float> out) const override;
};

}  // namespace semblance
