#include <doctest/doctest.h>

#include "semblance/pair_kernel.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("it is the power of the sum of both ways to match the pairs") {
  const auto kernel = testing::make_component<PairKernel>("pair_kernel/template_name",
                                                          {{"degree", std::int64_t{2}}});
  StandardKernelValues k;
  k.ac = 1, k.bd = 2, k.ad = 3, k.bc = 4;
  CHECK(kernel->evaluate(k) == doctest::Approx(14 * 14));
}
