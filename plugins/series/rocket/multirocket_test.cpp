// SPDX-License-Identifier: MIT
#include "rocket/minirocket_testing.hpp"

namespace multirocket_test {

using namespace semblance;
using namespace semblance::series;

TEST_CASE("multirocket keeps the transforms' contract") {
  const auto multirocket = make_component<Normalizer>("normalizer/multirocket");
  CHECK(multirocket->bind(Layout::sequence(10, 1)) == Layout::vector(49728));
  check_rocket_contract("normalizer/multirocket", {{"features", std::int64_t{7000}}}, 6720);
}

TEST_CASE("the four figures by hand") {
  // Kernel 0 (weights 2 2 2 -1 -1 -1 -1 -1 -1) without a dilation on one spike of height 1 at step
  // 10 of 21: the sum is 2 at steps 14, 13 and 12 and -1 at 11 .. 6; all steps are taken.
  RocketBank bank;
  bank.dilations = {1};
  bank.biases_each = {2};
  bank.biases.assign(2 * rocket_kernel_count, 0.0f);
  bank.biases[0] = 0.5f;
  bank.biases[1] = 5;
  bank.subset_starts = {0};
  for (std::uint32_t i = 1; i <= rocket_kernel_count; ++i) {
    bank.subsets.push_back(0);
    bank.subset_starts.push_back(i);
  }
  std::vector<float> spike(21, 0.0f);
  spike[10] = 1;
  FloatMatrix out(1, rocket_columns(bank, RocketPooling::four));
  const SeriesView series[] = {{spike, 1}};
  pool_series(bank, RocketPooling::four, false, series, out.view(), [] {});
  const auto figure = [&](std::size_t pooling, std::size_t bias) {
    return out.values[pooling * bank.biases.size() + bias];
  };
  CHECK(figure(0, 0) == doctest::Approx(3.0 / 21));
  CHECK(figure(1, 0) == 1.5f);
  CHECK(figure(2, 0) == 13);
  CHECK(figure(3, 0) == 3);
  CHECK(figure(0, 1) == 0);
  CHECK(figure(1, 1) == 0);
  CHECK(figure(2, 1) == -1);
  CHECK(figure(3, 1) == 0);
}

TEST_CASE("differences need two steps, and ten in the longest training series") {
  auto multirocket = make_component<Normalizer>("normalizer/multirocket");
  CHECK_THROWS_WITH_AS(multirocket->bind(Layout::sequence(9, 1)),
                       doctest::Contains("multirocket needs series of at least 10 steps"), Error);
  const Layout layout = Layout::sequence(20, 1);
  multirocket =
      make_component<Normalizer>("normalizer/multirocket", {{"features", std::int64_t{672}}});
  multirocket->bind(layout);
  const std::vector<float> nine(9, 1.0f), ten(10, 1.0f);
  CHECK_THROWS_WITH_AS(fit_series(*multirocket, layout, series_of(layout, {nine})),
                       doctest::Contains("kernels need at least 10"), Error);
  CHECK_THROWS_WITH_AS(fit_series(*multirocket, layout, series_of(layout, {ten, {1}})),
                       doctest::Contains("training row 1 (counted from 0) has 1 step, "
                                         "but needs at least 2"),
                       Error);
  fit_series(*multirocket, layout, series_of(layout, {ten, {1, 2}}));
  CHECK(made(*multirocket, layout, series_of(layout, {{3, 4}})).values.size() == 672);
}

}  // namespace multirocket_test
