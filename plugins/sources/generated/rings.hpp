// SPDX-License-Identifier: MIT
#pragma once

#include "generated/plane_source.hpp"

namespace semblance {

/// Concentric rings, one per class.
class Rings final : public PlaneSource {
 public:
  static Declaration<Rings> declare();

 private:
  PlanePoint draw(std::size_t label, Random& random) const override;
  std::size_t classes() const override { return static_cast<std::size_t>(classes_); }

  std::int64_t classes_ = 2;
};

}  // namespace semblance
