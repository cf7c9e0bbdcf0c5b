// SPDX-License-Identifier: MIT
#include "statistics/mcnemar.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

namespace semblance::statistics {

double mcnemar_test(std::size_t only_first, std::size_t only_second) {
  if (only_first == only_second) return 1;
  const boost::math::binomial distribution(static_cast<double>(only_first + only_second), 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(distribution, fewer));
}

}  // namespace semblance::statistics
