// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// The same number of random samples from each class.
class RandomPerClassBases final : public Basis {
 public:
  static Declaration<RandomPerClassBases> declare();
  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override;
  std::size_t count(std::size_t training_rows, std::size_t classes) const override;

 private:
  std::int64_t per_class_ = 100;
};

}  // namespace semblance
