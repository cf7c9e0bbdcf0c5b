// SPDX-License-Identifier: MIT
#pragma once

#include "grid_pairs.cu"
#include "model_device_testing.hpp"

namespace semblance::gpu {

/// Lets the model compute what grid_pairs.cu defines.
inline void add_grid_pairs(ModelDevice& device) {
  device.add("deformable_grids", grids::deformable_grids);
  device.add("rigid_grids", grids::rigid_grids);
  device.add("packed_grids", grids::packed_grids);
}

}  // namespace semblance::gpu
