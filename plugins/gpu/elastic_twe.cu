// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(twe, ElasticPairs, elastic_threads) { compare<Twe<false>>(given); }
KERNEL(twe_of_vectors, ElasticPairs, elastic_threads) { compare<Twe<true>>(given); }

}  // namespace semblance::gpu::elastic
