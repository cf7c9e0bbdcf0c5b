// SPDX-License-Identifier: MIT
#pragma once

#include "generated/plane_source.hpp"

namespace semblance {

/// Two classes in the squares of a chess board; with 2x2 squares, the XOR problem.
class Xor final : public PlaneSource {
 public:
  static Declaration<Xor> declare();

 private:
  PlanePoint draw(std::size_t label, Random& random) const override;

  std::int64_t squares_ = 2;
};

}  // namespace semblance
