// SPDX-License-Identifier: MIT
#include <numeric>

#include "semblance/normalizer.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::parts_test {

using namespace testing;

TrainingSet training(const Rows& rows, const MadePairs& pairs,
                     const std::vector<std::int32_t>& labels) {
  return {rows, pairs.layout, labels, {}};
}

FloatMatrix transformed(const Transform& made, const Layout& output, MatrixView in,
                        TestContext& context) {
  std::vector<std::size_t> sizes(in.rows);
  made.count_values(in, sizes, context);
  for (std::size_t i = 0; i < in.rows; ++i) CHECK(sizes[i] <= made.values_of(in.size(i)));
  FloatMatrix out = room_for(output, sizes);
  made.apply(in, out.view(), context);
  return out;
}

TEST_CASE("each part is normalized by its distinct samples") {
  const MadePairs pairs = made_pairs(6, 5, 3, 2, 17);
  const std::vector<std::int32_t> labels(17, -1);
  const MatrixRows rows(std::as_const(pairs.rows).view());
  TestContext context;
  const auto made =
      make_component<Normalizer>("normalizer/parts", {}, {{"second", part("normalizer/zscore")}});
  const Layout output = made->bind(pairs.layout);
  CHECK(output == pairs.layout);
  made->fit(training(rows, pairs, labels), context);
  const MatrixView in = std::as_const(pairs.rows).view();
  const FloatMatrix out = transformed(*made, output, in, context);
  for (std::size_t k = 0; k < 2; ++k) {
    double mean = 0, squares = 0;
    for (const Floats& sample : pairs.samples[1]) mean += sample[k] / 5;
    for (const Floats& sample : pairs.samples[1])
      squares += (sample[k] - mean) * (sample[k] - mean) / 5;
    for (std::size_t i = 0; i < 17; ++i)
      CHECK(PairView(out.view().row_span(i), output).part(Side::second).values[k] ==
            doctest::Approx((pairs.sample(1, i)[k] - mean) / std::sqrt(squares)).epsilon(1e-5));
  }
  for (std::size_t i = 0; i < 17; ++i) {
    const PairView pair(out.view().row_span(i), output);
    CHECK(std::ranges::equal(pair.part(Side::first).values, pairs.sample(0, i)));
    CHECK(pair.part(Side::first).number == pairs.pairs[i][0]);
    CHECK(pair.part(Side::second).number == pairs.pairs[i][1]);
  }
  MemoryState state;
  made->save(state);
  const auto loaded =
      make_component<Normalizer>("normalizer/parts", {}, {{"second", part("normalizer/zscore")}});
  loaded->bind(pairs.layout);
  loaded->load(state, context);
  CHECK(transformed(*loaded, output, in, context).values == out.values);
}

TEST_CASE("a part may become one of another size") {
  const Layout layout = Layout::pair(Layout::sparse(6), Layout::vector(1));
  const Floats values = {2, 3}, columns = {1, 4}, one = {7};
  FloatMatrix rows = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{8});
  write_pair({3, values, columns}, {4, one, {}}, layout, rows.view().row_span(0));
  TestContext context;
  const auto made =
      make_component<Transform>("feature/parts", {}, {{"first", part("feature/dense")}});
  const Layout output = made->bind(layout);
  CHECK(output == Layout::pair(Layout::vector(6), Layout::vector(1)));
  CHECK(transformed(*made, output, std::as_const(rows).view(), context).values ==
        std::vector<float>{3, 4, 6, 0, 2, 0, 0, 3, 0, 7});
}

TEST_CASE("what a part cannot take is refused with its side") {
  const auto made =
      make_component<Normalizer>("normalizer/parts", {}, {{"second", part("normalizer/zscore")}});
  CHECK_THROWS_WITH_AS(made->bind(Layout::vector(3)),
                       doctest::Contains("it transforms the samples of pairs"), Error);
}

TEST_CASE("a part that learns from classes is refused") {
  const MadePairs pairs = made_pairs(6, 5, 3, 2, 17);
  std::vector<std::int32_t> labels;
  for (std::int32_t i = 0; i < 17; ++i) labels.push_back(i % 2);
  const MatrixRows rows(std::as_const(pairs.rows).view());
  TestContext context;
  const auto made =
      make_component<Normalizer>("normalizer/parts", {}, {{"first", part("normalizer/lda")}});
  made->bind(pairs.layout);
  CHECK_THROWS_AS(made->fit(training(rows, pairs, labels), context), Error);
}

}  // namespace semblance::pairs::parts_test
