// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(erp, ElasticPairs, elastic_threads) { compare<Erp<false>>(given); }
KERNEL(erp_of_vectors, ElasticPairs, elastic_threads) { compare<Erp<true>>(given); }

}  // namespace semblance::gpu::elastic
