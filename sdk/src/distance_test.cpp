// SPDX-License-Identifier: MIT
#include "semblance/distance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "semblance/component_testing.hpp"
#include "semblance/row_feature.hpp"
#include "semblance/row_similarity.hpp"

namespace semblance::distance_test {
namespace {

using namespace testing;

/// The difference of the two lengths, and of the first values.
class Lengths final : public RowDistance<Lengths> {
 public:
  static Declaration<Lengths> declare() {
    return distance_parameters(Declaration<Lengths>("similarity/lengths", "difference of lengths"))
        .accepts({LayoutKind::sequence});
  }
  double distance(std::span<const float> b, std::span<const float> x) const {
    return std::abs(double(b.size()) - double(x.size())) + std::abs(double(b[0]) - double(x[0]));
  }
};

Lengths lengths_measure(const Parameters& parameters = {}) {
  Lengths measure;
  assign(measure, Lengths::declare().entry(), parameters);
  return measure;
}

/// A row's number of values, and its first.
class Sizes final : public RowSimilarity<Sizes> {
 public:
  static Declaration<Sizes> declare() { return {"similarity/sizes", "product of sizes"}; }
  float compare(std::span<const float> b, std::span<const float> x) const {
    return static_cast<float>(b.size() * x.size());
  }
};

/// Removes the first step.
class Tail final : public RowFeature {
 public:
  std::size_t values_of(std::size_t values) const override { return values - 1; }

 private:
  void transform(std::span<const float> in, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = in[k + 1];
  }
};

FloatMatrix series(std::vector<std::vector<float>> rows, std::size_t longest) {
  std::vector<std::size_t> sizes;
  for (const auto& row : rows) sizes.push_back(row.size());
  FloatMatrix made = FloatMatrix::ragged(longest, sizes);
  made.values.clear();
  for (const auto& row : rows) made.values.insert(made.values.end(), row.begin(), row.end());
  return made;
}

const FloatMatrix some_bases() { return series({{0, 1}, {0, 1, 2, 3}, {4}, {1, 1, 1}}, 5); }

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

/// The similarities of one sample of three values that begins with 0: its distances are 1, 1, 6, 1.
std::vector<float> similarities(Lengths& measure) {
  TestContext context;
  measure.bind(Layout::sequence(5, 1));
  measure.set_bases(some_bases().view(), {}, context);
  const FloatMatrix x = series({{0, 5, 5}}, 5);
  FloatMatrix out(1, 4);
  measure.apply(x.view(), out.view(), context);
  return out.values;
}

}  // namespace

TEST_CASE("bases whose squares float32 cannot hold are refused, zeros are not") {
  auto lengths = lengths_measure({{"width", std::string("1")}});
  lengths.bind(Layout::sequence(5, 1));
  TestContext context;
  const auto set = [&](float value) {
    const FloatMatrix bases = series({{0, value}, {-value}}, 5);
    lengths.set_bases(bases.view(), {}, context);
  };
  CHECK_THROWS_WITH_AS(set(1e-25F),
                       doctest::Contains("e-25, and squares of such values are too small for "
                                         "float32; scale the samples up"),
                       Error);
  CHECK_NOTHROW(set(0));
  CHECK_NOTHROW(set(1e-12F));
}

TEST_CASE("a distance becomes a similarity as its parameters say") {
  auto gaussian = lengths_measure({{"width", std::string("2")}});
  CHECK(similarities(gaussian)[0] == doctest::Approx(std::exp(-1.0 / 8)));
  CHECK(similarities(gaussian)[2] == doctest::Approx(std::exp(-36.0 / 8)));
  auto exponential =
      lengths_measure({{"as", std::string("exponential")}, {"width", std::string("2")}});
  CHECK(similarities(exponential)[2] == doctest::Approx(std::exp(-3.0)));
  auto negative = lengths_measure({{"as", std::string("negative")}});
  CHECK(similarities(negative) == std::vector<float>{-1, -1, -6, -1});
  auto inverse = lengths_measure({{"as", std::string("inverse")}, {"width", std::string("3")}});
  CHECK(similarities(inverse)[2] == doctest::Approx(1.0 / 3));
}

TEST_CASE("the width is the median distance between different bases, and is saved") {
  auto measure = lengths_measure();
  const auto before = similarities(measure);
  // 2, 5, 2 | 2, 7, 2 | 5, 7, 5 | 2, 2, 5: the seventh of twelve, ascending.
  CHECK(measure.width() == 5);
  TestContext context;
  MemoryState state;
  measure.save(state);
  auto fresh = lengths_measure();
  fresh.bind(Layout::sequence(5, 1));
  fresh.load(state, context);
  const FloatMatrix x = series({{0, 5, 5}}, 5);
  FloatMatrix out(1, 4);
  fresh.apply(x.view(), out.view(), context);
  CHECK(out.values == before);
  float self = 0;
  fresh.compare_with_itself(x.view(), &self);
  CHECK(self == 1);
}

TEST_CASE("sparse samples are refused, whose columns a distance would not see") {
  auto measure = lengths_measure();
  CHECK(refusal([&] { measure.bind(Layout::sparse(5)); }) ==
        "the samples, each a sparse vector of 5, have no values where they are 0, and this measure "
        "compares rows value by value; put feature/dense before it, or use similarity/linear, rbf, "
        "polynomial or cosine");
}

TEST_CASE("a width that is none is refused") {
  for (const char* text : {"0", "-1", "inf", "nan", "median", "", "1x"})
    CHECK(refusal([&] {
            lengths_measure({{"width", std::string(text)}});
          }) == std::string("width: '") + text +
                    "' is neither a number above 0 nor auto (the median distance between bases)");
  auto measure = lengths_measure();
  TestContext context;
  measure.bind(Layout::sequence(5, 1));
  CHECK(refusal([&] {
          measure.set_bases(series({{1, 2}, {1, 2}, {1, 3}}, 5).view(), {}, context);
        }) ==
        "the median distance between bases is 0.000000, which is no width; give width a "
        "number, or use as: negative");
  CHECK(refusal([&] { measure.set_bases(series({{1}}, 5).view(), {}, context); }) ==
        "there is one basis only, and no distance to set width by; give width a number");
}

TEST_CASE("rows that are no samples of the layout are refused") {
  auto measure = lengths_measure();
  TestContext context;
  measure.bind(Layout::sequence(5, 1));
  CHECK(refusal([&] { measure.set_bases(FloatMatrix(2, 5).view(), {}, context); }) ==
        "cannot compare rows of 5 values with samples that are each a sequence of up to 5 steps of "
        "1 channel; both must come from the same features");
  CHECK(refusal([&] {
          measure.set_bases(series({{1}, {}}, 5).view(), {}, context);
        }) == "basis 1 (counted from 0) is empty; remove it");
  measure.set_bases(some_bases().view(), {}, context);
  FloatMatrix out(1, 4);
  CHECK(refusal([&] { measure.apply(series({{}}, 5).view(), out.view(), context); }) ==
        "row 0 of the block (counted from 0) is empty; remove it");
  constexpr float infinite = std::numeric_limits<float>::infinity();
  CHECK(refusal([&] { measure.apply(series({{infinite}}, 5).view(), out.view(), context); }) ==
        "the distance of basis 0 and row 0 of the block (both counted from 0) is infinite; remove "
        "values that are not finite, or scale the samples");
}

TEST_CASE("a new row may be longer than the layout says") {
  auto measure = lengths_measure();
  TestContext context;
  measure.bind(Layout::sequence(5, 1));
  measure.set_bases(some_bases().view(), {}, context);
  FloatMatrix longer(1, 4), same(1, 4);
  measure.apply(series({{1, 2, 3, 4, 5, 6}}, 5).view(), longer.view(), context);
  auto wide = lengths_measure();
  wide.bind(Layout::sequence(6, 1));
  FloatMatrix bases = some_bases();
  bases.cols = 6;
  wide.set_bases(bases.view(), {}, context);
  wide.apply(series({{1, 2, 3, 4, 5, 6}}, 6).view(), same.view(), context);
  CHECK(longer.values == same.values);
}

TEST_CASE("rows that differ in size are copied, cut and saved as they are") {
  const FloatMatrix rows = series({{1, 2}, {}, {3, 4, 5}}, 4);
  const MatrixView part = rows.view().rows_range(1, 2);
  CHECK(part.values() == 3);
  CHECK(part.size(0) == 0);
  CHECK(part.row_span(1)[2] == 5);
  const FloatMatrix copy(part);
  CHECK(copy.offsets == std::vector<std::size_t>{0, 0, 3});
  CHECK(copy.values == std::vector<float>{3, 4, 5});
  MemoryState state;
  state.floats("rows", part);
  const StateReader& read = state;
  CHECK(read.floats("rows").offsets == copy.offsets);
  CHECK(read.floats("rows").cols == 4);
}

TEST_CASE("a measure of two rows gets their own sizes") {
  Sizes measure;
  TestContext context;
  measure.bind(Layout::set(5, 1));
  measure.set_bases(some_bases().view(), {}, context);
  const FloatMatrix x = series({{0, 5, 5}}, 5);
  FloatMatrix out(1, 4);
  measure.apply(x.view(), out.view(), context);
  CHECK(out.values == std::vector<float>{6, 12, 3, 9});
}

TEST_CASE("a feature of one row may change its size") {
  Tail tail;
  TestContext context;
  CHECK(tail.bind(Layout::sequence(5, 1)) == Layout::sequence(5, 1));
  const FloatMatrix in = series({{1, 2, 3}, {4, 5}}, 5);
  const std::vector<std::size_t> sizes = {tail.values_of(3), tail.values_of(2)};
  FloatMatrix out = FloatMatrix::ragged(5, sizes);
  tail.apply(in.view(), out.view(), context);
  CHECK(out.values == std::vector<float>{2, 3, 5});
}

TEST_CASE("layouts describe themselves") {
  CHECK(describe(Layout::sequence(150, 1)) == "sequence of up to 150 steps of 1 channel");
  CHECK(describe(Layout::string(60, "ACGTé")) == "string of up to 60 symbols out of 5");
  CHECK(describe(Layout::set(1, 2)) == "set of up to 1 point of 2 coordinates");
  CHECK(describe(Layout::image(3, 4, 1)) == "image of 3x4x1 (height x width x channels)");
  CHECK(symbols_of(Layout::string(9, "aé語😀")) == std::vector<std::string>{"a", "é", "語", "😀"});
}

}  // namespace semblance::distance_test
