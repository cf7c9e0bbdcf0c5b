// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Classes of several normally distributed clusters each, in any number of dimensions.
class Clusters final : public Source {
 public:
  static Declaration<Clusters> declare();

  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  std::int64_t classes_ = 2;
  std::int64_t clusters_ = 5;
  std::int64_t columns_ = 2;
  double spread_ = 0.3;
  std::int64_t train_ = 400;
  std::int64_t test_ = 1000;
};

}  // namespace semblance
