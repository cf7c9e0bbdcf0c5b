// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// Training samples drawn without regard to classes: 'Rand' of BE-SVM, section 3.4.
class RandomBases final : public Basis {
 public:
  static Declaration<RandomBases> declare();
  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override;
  std::size_t count(std::size_t training_rows, std::size_t classes) const override;

 private:
  std::int64_t count_ = 1000;
  std::string fewer_ = "refuse";
};

}  // namespace semblance
