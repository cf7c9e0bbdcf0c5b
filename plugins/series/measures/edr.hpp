// SPDX-License-Identifier: MIT
#pragma once

#include "measures/elastic.hpp"

namespace semblance {

/// Edit distance on real sequences: the number of steps to insert, delete or replace.
class Edr final : public ElasticDistance {
 public:
  static Declaration<Edr> declare();

 private:
  void run(const LanesJob& job) const override;

  double epsilon_ = 0.25;
};

}  // namespace semblance
