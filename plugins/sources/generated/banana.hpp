// SPDX-License-Identifier: MIT
#pragma once

#include "generated/plane_source.hpp"

namespace semblance {

/// Two crescents, each around an end of the other.
class Banana final : public PlaneSource {
 public:
  static Declaration<Banana> declare();

 private:
  PlanePoint draw(std::size_t label, Random& random) const override;
};

}  // namespace semblance
