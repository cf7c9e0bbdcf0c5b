// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(wdtw, ElasticPairs, elastic_threads) { compare<Wdtw<false>>(given); }
KERNEL(wdtw_of_vectors, ElasticPairs, elastic_threads) { compare<Wdtw<true>>(given); }

}  // namespace semblance::gpu::elastic
