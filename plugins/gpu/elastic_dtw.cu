// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(dtw, ElasticPairs, elastic_threads) { compare<Dtw<false>>(given); }
KERNEL(dtw_of_vectors, ElasticPairs, elastic_threads) { compare<Dtw<true>>(given); }

}  // namespace semblance::gpu::elastic
