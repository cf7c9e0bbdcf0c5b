// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(msm, ElasticPairs, elastic_threads) { compare<Msm>(given); }
KERNEL(msm_of_vectors, ElasticPairs, elastic_threads) { compare<MsmOfVectors>(given); }

}  // namespace semblance::gpu::elastic
