// SPDX-License-Identifier: MIT
#include "semblance/row_feature.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "semblance/component_testing.hpp"

namespace semblance::row_feature_test {
namespace {

using namespace testing;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// The square roots of all values, in the same layout.
class Roots final : public RowFeature {
  void transform(std::span<const float> in, std::span<float> out) const override {
    for (std::size_t j = 0; j < in.size(); ++j) {
      if (in[j] == -7) throw Error("value " + std::to_string(j) + " is -7; take another");
      out[j] = std::sqrt(in[j]);
    }
  }
};

/// The sum of each pixel's channels.
class Grey final : public RowFeature {
  Layout prepare(const Layout& input) override {
    if (input.kind != LayoutKind::image) throw Error("it needs images, not a " + describe(input));
    return Layout::vector(input.height * input.width);
  }
  void transform(std::span<const float> in, std::span<float> out) const override {
    for (std::size_t p = 0; p < out.size(); ++p) {
      out[p] = 0;
      for (std::size_t c = 0; c < layout().depth; ++c) out[p] += in[c * out.size() + p];
    }
  }
};

/// Applies Roots to rows of two values.
std::vector<float> roots(const std::vector<float>& values) {
  Roots feature;
  feature.bind(Layout::vector(2));
  const std::size_t rows = values.size() / 2;
  std::vector<float> out(values.size());
  TestContext context;
  feature.apply({values.data(), rows, 2, 2}, {out.data(), rows, 2, 2}, context);
  return out;
}

}  // namespace

TEST_CASE("a feature keeps the layout unless it says otherwise") {
  Roots roots;
  CHECK(roots.bind(Layout::grid(1, 2, 3)) == Layout::grid(1, 2, 3));
  Grey grey;
  CHECK(grey.bind(Layout::image(2, 3, 4)) == Layout::vector(6));
  CHECK_THROWS_WITH_AS(grey.bind(Layout::vector(5)), "it needs images, not a vector of 5", Error);
}

TEST_CASE("every row is transformed on its own, and gaps between rows stay") {
  Grey feature;
  feature.bind(Layout::image(1, 2, 2));
  const float in[] = {1, 2, 10, 20, missing, 3, 4, 30, 40, missing};
  float out[] = {-1, -1, -1, -1, -1, -1};
  TestContext context;
  feature.apply({in, 2, 4, 5}, {out, 2, 2, 3}, context);
  CHECK(std::vector<float>(out, out + 6) == std::vector<float>{11, 22, -1, 33, 44, -1});
}

TEST_CASE("a finite row that becomes one that is not finite is refused; another is passed on") {
  CHECK(roots({4, 9, 16, 25}) == std::vector<float>{2, 3, 4, 5});
  CHECK_THROWS_WITH_AS(
      roots({4, 9, 16, -1}),
      "value 1 made of row 1 of the block (both counted from 0) is not a number, though the row is "
      "finite; scale the samples, or make transform() write finite numbers",
      Error);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(roots({4, infinity}) == std::vector<float>{2, infinity});
}

TEST_CASE("an error of transform() names the row") {
  CHECK_THROWS_WITH_AS(roots({1, 1, 1, -7}),
                       "row 1 of the block (counted from 0): value 1 is -7; take another", Error);
}

TEST_CASE("a stop request ends it") {
  Roots feature;
  feature.bind(Layout::vector(1));
  float value = 1;
  TestContext context;
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(feature.apply({&value, 1, 1, 1}, {&value, 1, 1, 1}, context), Cancelled);
}

TEST_CASE("rows that do not fit are refused") {
  Grey feature;
  feature.bind(Layout::image(1, 2, 2));
  float in[8] = {}, out[8] = {};
  TestContext context;
  CHECK_THROWS_WITH_AS(feature.apply({in, 2, 3, 3}, {out, 2, 2, 2}, context),
                       "cannot turn 2 rows of 3 values into 2 rows of 2; it makes 2 values of 4",
                       Error);
  CHECK_THROWS_AS(feature.apply({in, 2, 4, 4}, {out, 1, 2, 2}, context), Error);
  CHECK_THROWS_AS(feature.apply({in, 2, 4, 4}, {out, 2, 3, 3}, context), Error);
  feature.apply({in, 0, 4, 4}, {out, 0, 2, 2}, context);
}

}  // namespace semblance::row_feature_test
