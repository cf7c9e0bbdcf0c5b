// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// Every training sample, in its order.
class AllBases final : public Basis {
 public:
  static Declaration<AllBases> declare();
  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override;
  std::size_t count(std::size_t training_rows, std::size_t classes) const override;
};

}  // namespace semblance
