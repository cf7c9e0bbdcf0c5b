#include <doctest/doctest.h>

#include <cmath>

#include "semblance/plugin_testing.hpp"
#include "semblance/similarity.hpp"

using namespace semblance;

namespace {

/// d(b, x) for two series of one channel.
double distance(std::vector<float> b, std::vector<float> x) {
  testing::TestContext context;
  const auto measure = testing::make_component<Similarity>("similarity/template_name",
                                                           {{"as", std::string("negative")}});
  measure->bind(Layout::sequence(10, 1));
  const std::vector<std::size_t> base_size = {b.size()}, size = {x.size()};
  FloatMatrix bases = FloatMatrix::ragged(10, base_size), samples = FloatMatrix::ragged(10, size);
  bases.values = std::move(b);
  samples.values = std::move(x);
  const std::int64_t row[] = {0};
  measure->set_bases(bases.view(), row, context);
  FloatMatrix value(1, 1);
  measure->apply(samples.view(), value.view(), context);
  return -value.values[0];
}

}  // namespace

TEST_CASE("who waits needs no longer leash") {
  CHECK(distance({0, 1, 2}, {0, 1, 2}) == doctest::Approx(0));
  CHECK(distance({0, 1, 2}, {0, 0, 0, 1, 2, 2}) == doctest::Approx(0));
}

TEST_CASE("the worst step decides") {
  CHECK(distance({0, 5, 0}, {0, 0, 0}) == doctest::Approx(5));
  CHECK(distance({0, 3}, {1}) == doctest::Approx(2));
}
