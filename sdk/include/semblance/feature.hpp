// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/component.hpp"

namespace semblance {

/// Kind `feature`: turns each sample into its description, row by row, without learning.
class Feature : public Transform {
 public:
  static const KindInfo& kind_info();
  ~Feature() override;
};

}  // namespace semblance
