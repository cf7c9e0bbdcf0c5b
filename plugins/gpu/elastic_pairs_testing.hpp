// SPDX-License-Identifier: MIT
#pragma once

#include "elastic_pairs.cu"
#include "model_device_testing.hpp"

namespace semblance::gpu {

/// Lets the model compute what elastic_pairs.cu defines.
inline void add_elastic_pairs(ModelDevice& device) {
  device.add("dtw", elastic::dtw);
  device.add("wdtw", elastic::wdtw);
  device.add("erp", elastic::erp);
  device.add("msm", elastic::msm);
  device.add("twe", elastic::twe);
  device.add("edr", elastic::edr);
  device.add("lcss", elastic::lcss);
}

}  // namespace semblance::gpu
