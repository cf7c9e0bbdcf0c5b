// SPDX-License-Identifier: MIT
#pragma once

#include "elastic_dtw.cu"
#include "elastic_edr.cu"
#include "elastic_erp.cu"
#include "elastic_lcss.cu"
#include "elastic_msm.cu"
#include "elastic_twe.cu"
#include "elastic_wdtw.cu"
#include "model_device_testing.hpp"

namespace semblance::gpu {

/// Lets the model compute the elastic measures.
inline void add_elastic_pairs(ModelDevice& device) {
  device.add("dtw", elastic::dtw);
  device.add("dtw_of_vectors", elastic::dtw_of_vectors);
  device.add("wdtw", elastic::wdtw);
  device.add("wdtw_of_vectors", elastic::wdtw_of_vectors);
  device.add("erp", elastic::erp);
  device.add("erp_of_vectors", elastic::erp_of_vectors);
  device.add("msm", elastic::msm);
  device.add("msm_of_vectors", elastic::msm_of_vectors);
  device.add("twe", elastic::twe);
  device.add("twe_of_vectors", elastic::twe_of_vectors);
  device.add("edr", elastic::edr);
  device.add("edr_of_vectors", elastic::edr_of_vectors);
  device.add("lcss", elastic::lcss);
  device.add("lcss_of_vectors", elastic::lcss_of_vectors);
}

}  // namespace semblance::gpu
