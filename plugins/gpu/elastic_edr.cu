// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(edr, ElasticPairs, elastic_threads) { compare<Edr<false>>(given); }
KERNEL(edr_of_vectors, ElasticPairs, elastic_threads) { compare<Edr<true>>(given); }

}  // namespace semblance::gpu::elastic
