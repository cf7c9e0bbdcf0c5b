// SPDX-License-Identifier: MIT
#include "elastic_kernel.hpp"

namespace semblance::gpu::elastic {

KERNEL(lcss, ElasticPairs, elastic_threads) { compare<Lcss<false>>(given); }
KERNEL(lcss_of_vectors, ElasticPairs, elastic_threads) { compare<Lcss<true>>(given); }

}  // namespace semblance::gpu::elastic
