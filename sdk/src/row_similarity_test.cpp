// SPDX-License-Identifier: MIT
#include "semblance/row_similarity.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "semblance/component_testing.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/plain_check.hpp"

namespace semblance::row_similarity_test {
namespace {

using namespace testing;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

/// sum (weight b - x)^2: not symmetric unless the weight is 1.
class Distance final : public RowSimilarity<Distance> {
 public:
  static Declaration<Distance> declare() {
    return Declaration<Distance>("similarity/distance", "weighted distance")
        .parameter("weight", &Distance::weight_, "of the basis");
  }
  float compare(std::span<const float> b, std::span<const float> x) const {
    float sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const float difference = static_cast<float>(weight_) * b[k] - x[k];
      sum += difference * difference;
    }
    return sum;
  }

 private:
  double weight_ = 2;
};

/// 1 / (b_0 - x_0) of grids; refuses negative samples.
class Inverse final : public RowSimilarity<Inverse> {
 public:
  double compare(std::span<const float> b, std::span<const float> x) const {
    if (x[0] < 0) throw Error("value 0 is negative; take its square");
    if (b[0] > 100) throw Cancelled();
    return 1 / (double(b[0]) - double(x[0]));
  }
  double operations() const noexcept override { return 2; }

 private:
  void check_layout(const Layout& input) const override {
    if (input.kind == LayoutKind::image) throw Error("images are too large");
  }
};

/// exp(-(|b|^2 + |x|^2 - 2 <b, x>)), which loses all digits far from 0.
template <class T>
T gaussian_by_products(std::span<const T> b, std::span<const T> x) {
  using std::exp;
  T of_b = 0, of_x = 0, both = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    of_b += b[k] * b[k];
    of_x += x[k] * x[k];
    both += b[k] * x[k];
  }
  return exp(-(of_b + of_x - 2.0 * both));
}

class Checked final : public RowSimilarity<Checked> {
 public:
  template <class T>
  T compare(std::span<const T> b, std::span<const T> x) const {
    return static_cast<T>(gaussian_by_products(b, x));
  }
};

class Unchecked final : public RowSimilarity<Unchecked> {
 public:
  float compare(std::span<const float> b, std::span<const float> x) const {
    return gaussian_by_products(b, x);
  }
};

FloatMatrix random_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  for (float& x : matrix.values) x = static_cast<float>(random.normal());
  return matrix;
}

FloatMatrix column(std::vector<float> values) {
  FloatMatrix matrix(values.size(), 1);
  matrix.values = std::move(values);
  return matrix;
}

FloatMatrix compared(const Similarity& measure, MatrixView samples) {
  TestContext context;
  FloatMatrix result(samples.rows, measure.bases());
  measure.apply(samples, result.view(), context);
  return result;
}

template <class Measure>
void give_bases(Measure& measure, const FloatMatrix& bases) {
  TestContext context;
  measure.bind(Layout::vector(bases.cols));
  measure.set_bases(bases.view(), {}, context);
}

/// The measure's error message for one basis and one row of one value each.
std::string complaint(float basis, float sample) {
  Inverse measure;
  give_bases(measure, column({5, basis}));
  try {
    compared(measure, column({7, 8, sample}).view());
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every sample is compared with every basis, the basis first") {
  for (const std::size_t width : {1u, 3u, 64u, 2000u, 5000u}) {  // from many to few bases at a time
    const FloatMatrix bases = random_rows(37, width, 1), samples = random_rows(9, width, 2);
    Distance measure;
    assign(measure, Distance::declare().entry(), {{"weight", 3.0}});
    give_bases(measure, bases);
    CHECK(measure.bases() == 37);
    CHECK(measure.bind(Layout::vector(width)) == Layout::vector(37));
    const FloatMatrix all = compared(measure, samples.view());
    for (std::size_t i = 0; i < samples.rows; ++i)
      for (std::size_t j = 0; j < bases.rows; ++j)
        REQUIRE(all.view().row(i)[j] ==
                measure.compare(bases.view().row_span(j), samples.view().row_span(i)));
  }
}

TEST_CASE("a range of the bases, a row alone and other threads give the same bits") {
  const FloatMatrix bases = random_rows(37, 1500, 1), samples = random_rows(40, 1500, 2);
  Distance measure;
  give_bases(measure, bases);
  const FloatMatrix all = compared(measure, samples.view());
  TestContext context(4);
  for (const std::size_t first : {0u, 1u, 2u, 17u, 36u})
    for (const std::size_t count : {0u, 1u, 2u, 3u, 20u, 37u}) {
      if (first + count > bases.rows) continue;
      FloatMatrix part(samples.rows, count);
      context.parallel_for(8, [&](std::size_t block) {
        measure.apply_range(samples.view().rows_range(5 * block, 5), first,
                            part.view().rows_range(5 * block, 5), context);
      });
      for (std::size_t i = 0; i < samples.rows; ++i)
        REQUIRE(
            std::equal(part.view().row(i), part.view().row(i) + count, all.view().row(i) + first));
    }
}

TEST_CASE("gaps between rows are neither read nor written") {
  Distance measure;
  give_bases(measure, column({1, 2}));
  const float samples[] = {4, nan, 5, nan};
  float values[] = {-1, -1, -1, -1, -1, -1};
  TestContext context;
  measure.apply({samples, 2, 1, 2}, {values, 2, 2, 3}, context);
  CHECK(std::vector<float>(values, values + 6) == std::vector<float>{4, 0, -1, 9, 1, -1});
}

TEST_CASE("saved and loaded inside of another component's state, it gives the same bits") {
  const FloatMatrix bases = random_rows(6, 10, 1), samples = random_rows(8, 10, 2);
  Distance measure, loaded;
  give_bases(measure, bases);
  MemoryState state;
  NestedWriter writer(state, "kernel_");
  measure.save(writer);
  TestContext context;
  loaded.bind(Layout::vector(10));
  loaded.load(NestedReader(state, "kernel_"), context);
  CHECK(loaded.bind(Layout::vector(10)) == Layout::vector(6));
  CHECK(compared(loaded, samples.view()).values == compared(measure, samples.view()).values);
}

TEST_CASE("a row compared with itself has the bits of a basis compared with itself") {
  const FloatMatrix rows = random_rows(5, 100, 1);
  Distance measure;
  give_bases(measure, rows);
  const FloatMatrix all = compared(measure, rows.view());
  std::vector<float> self(5);
  measure.compare_with_itself(rows.view(), self.data());
  for (std::size_t i = 0; i < 5; ++i) CHECK(self[i] == all.view().row(i)[i]);

  Inverse inverse;
  inverse.bind(Layout::vector(1));
  CHECK_THROWS_WITH_AS(
      inverse.compare_with_itself(column({3}).view(), self.data()),
      "the similarity of row 0 of the block (counted from 0) and itself is infinite, though all "
      "their values are finite; scale the samples, or make compare() return a finite number",
      Error);
}

TEST_CASE("a measure for all numbers is checked in double; without, it is not called checked") {
  FloatMatrix near = random_rows(40, 3, 1), far = near;
  for (float& x : far.values) x += 5000;
  TestContext context;
  Checked measure;
  give_bases(measure, near);
  CHECK(measure.abilities().compares_plainly);
  const auto error = check_similarity(measure, near.view(), near.view(), context);
  REQUIRE(error);
  CHECK(*error > 0);
  CHECK(*error < 1e-5);
  give_bases(measure, far);
  CHECK_THROWS_WITH_AS(check_similarity(measure, far.view(), far.view(), context),
                       doctest::Contains("float32 has lost them"), Error);

  Unchecked other;
  give_bases(other, far);
  CHECK_FALSE(other.abilities().compares_plainly);
  context.lines.clear();
  CHECK_FALSE(check_similarity(other, far.view(), far.view(), context));
  CHECK(context.lines == std::vector<std::string>{
                             "similarities of a sample of rows are not checked: the measure has no "
                             "definition in double"});
  double value = 0;
  CHECK_THROWS_WITH_AS(other.compare_plainly(far.view(), far.view().rows_range(0, 1), &value),
                       "the measure does not compute its values by definition", Error);
  MemoryReport checked, unchecked;
  report_check(error, checked);
  CHECK(checked.numbers.at("check_error") == *error);
  report_check(std::nullopt, unchecked);
  CHECK(unchecked.texts.at("check_error") == "not checked");
}

TEST_CASE("the gradient of a measure for all numbers follows from it") {
  const FloatMatrix bases = random_rows(5, 4, 1), samples = random_rows(3, 4, 2);
  Checked measure;
  give_bases(measure, bases);
  CHECK(measure.abilities().has_gradient);
  std::vector<double> values(5), gradients(20), plain(5);
  for (std::size_t i = 0; i < 3; ++i) {
    const MatrixView x = samples.view().rows_range(i, 1);
    measure.compare_with_gradient(bases.view(), x, values.data(), gradients.data());
    measure.compare_plainly(bases.view(), x, plain.data());
    CHECK(values == plain);
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        CHECK(
            gradients[4 * j + k] ==
            doctest::Approx(2 * plain[j] * (double{bases.view().row(j)[k]} - double{x.row(0)[k]})));
  }
  Unchecked other;
  give_bases(other, bases);
  CHECK_FALSE(other.abilities().has_gradient);
  CHECK_THROWS_WITH_AS(other.compare_with_gradient(bases.view(), samples.view().rows_range(0, 1),
                                                   values.data(), gradients.data()),
                       "the measure has no gradient", Error);
}

TEST_CASE("three operations a value are estimated unless the measure says otherwise") {
  Distance distance;
  distance.bind(Layout::grid(2, 3, 4));
  CHECK(distance.operations() == 72);
  Inverse inverse;
  inverse.bind(Layout::grid(2, 3, 4));
  CHECK(inverse.operations() == 2);
}

TEST_CASE("similarities that are not finite are refused with their place and cause") {
  CHECK(complaint(6, 9) == "");
  CHECK(
      complaint(9, 9) ==
      "the similarity of basis 1 and row 2 of the block (both counted from 0) is infinite, though "
      "all their values are finite; scale the samples, or make compare() return a finite number");
  CHECK(complaint(9, nan) ==
        "the similarity of basis 0 and row 2 of the block (both counted from 0) is not a number: "
        "value 0 of the row is not a number; remove or replace such values");
  CHECK(complaint(nan, 9) ==
        "the similarity of basis 1 and row 0 of the block (both counted from 0) is not a number: "
        "value 0 of the basis is not a number; remove or replace such values");
  CHECK(complaint(-inf, inf) == "");  // 1 / inf is 0
}

TEST_CASE("an error of compare() names the row; a stop remains a stop") {
  CHECK(complaint(6, -1) ==
        "row 2 of the block (counted from 0): value 0 is negative; take its square");
  Inverse measure;
  give_bases(measure, column({101}));
  CHECK_THROWS_AS(compared(measure, column({1}).view()), Cancelled);
}

TEST_CASE("a stop request ends it") {
  Distance measure;
  give_bases(measure, column({1}));
  TestContext context;
  context.stop = StopReason::deadline;
  FloatMatrix out(1, 1);
  CHECK_THROWS_AS(measure.apply(column({1}).view(), out.view(), context), Cancelled);
}

TEST_CASE("bases and samples that do not fit are refused") {
  TestContext context;
  Inverse measure;
  CHECK_THROWS_WITH_AS(measure.bind(Layout::vector(0)),
                       "the samples have no values (vector of 0); there is nothing to compare",
                       Error);
  CHECK_THROWS_WITH_AS(measure.bind(Layout::image(2, 2, 1)), "images are too large", Error);
  CHECK_THROWS_WITH_AS(measure.bind(Layout::sparse(2)),
                       "the samples, each a sparse vector of 2, have no values where they are 0, "
                       "and this measure compares rows value by value; put feature/dense before "
                       "it, or use similarity/linear, rbf, polynomial or cosine",
                       Error);
  measure.bind(Layout::vector(2));
  CHECK_THROWS_WITH_AS(measure.set_bases(FloatMatrix(0, 2).view(), {}, context),
                       "there are no bases to compare with; choose at least one", Error);
  CHECK_THROWS_WITH_AS(measure.set_bases(FloatMatrix(4, 3).view(), {}, context),
                       "the bases have 3 values, the samples 2; both must come from the same "
                       "features",
                       Error);
  MemoryState wide, empty;
  wide.floats("bases", FloatMatrix(4, 3).view());
  CHECK_THROWS_WITH_AS(
      measure.load(wide, context),
      "the saved bases have 3 values, the samples 2; use samples like those trained on", Error);
  empty.floats("bases", FloatMatrix(0, 2).view());
  CHECK_THROWS_WITH_AS(measure.load(empty, context),
                       "there are no bases to compare with; choose at least one", Error);
  CHECK_THROWS_AS(measure.load(MemoryState(), context), Error);
  CHECK(measure.bases() == 0);
}

TEST_CASE("results that do not fit are refused") {
  TestContext context;
  Distance measure;
  give_bases(measure, random_rows(4, 2, 1));
  const FloatMatrix samples(3, 2), narrow(3, 1);
  FloatMatrix out(3, 4), wide(3, 5), low(2, 4);
  CHECK_THROWS_WITH_AS(measure.apply(samples.view(), wide.view(), context),
                       "there are 4 bases, but room for 5 similarities per row", Error);
  CHECK_THROWS_WITH_AS(measure.apply_range(samples.view(), 1, out.view(), context),
                       "there are 4 bases; [1, 5) is not a range of them", Error);
  const std::string shapes = "cannot compare 3 rows of ";
  CHECK_THROWS_WITH_AS(measure.apply(narrow.view(), out.view(), context),
                       "cannot compare 3 rows of 1 values with bases of 2 values into 3 rows of "
                       "results",
                       Error);
  CHECK_THROWS_AS(measure.apply(samples.view(), low.view(), context), Error);
  measure.apply(MatrixView{nullptr, 0, 2, 2}, {nullptr, 0, 4, 4}, context);  // no rows: no work
}

}  // namespace semblance::row_similarity_test
