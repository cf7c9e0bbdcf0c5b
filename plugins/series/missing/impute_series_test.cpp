// SPDX-License-Identifier: MIT
#include <limits>

#include "features/series_feature_testing.hpp"
#include "semblance/normalizer.hpp"

namespace impute_series_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr float gap = std::numeric_limits<float>::quiet_NaN();
using Series = std::vector<float>;

/// Bound to series of two channels and fitted to these.
std::unique_ptr<Normalizer> fitted(const Parameters& parameters, const FloatMatrix& training,
                                   std::size_t channels) {
  auto imputer = make_component<Normalizer>("normalizer/impute_series", parameters);
  const Layout layout = Layout::sequence(training.cols / channels, channels);
  imputer->bind(layout);
  TestContext context;
  const std::vector<std::int32_t> labels(training.rows);
  const std::vector<std::string> classes = {"a"};
  imputer->fit({MatrixRows(training.view()), layout, labels, classes}, context);
  return imputer;
}

Series filled(const std::string& strategy, const Series& series, bool indicator = false) {
  const Layout layout = Layout::sequence(series.size(), 1);
  const auto imputer = fitted({{"strategy", strategy}, {"indicator", indicator}},
                              series_of(layout, {Series(series.size(), 7.0f)}), 1);
  FloatMatrix in = series_of(layout, {series});
  FloatMatrix out = FloatMatrix::ragged(in.cols * (indicator ? 2 : 1),
                                        std::vector{imputer->values_of(series.size())});
  TestContext context;
  imputer->apply(in.view(), out.view(), context);
  return out.values;
}

/// Of the training series, or of a block.
std::string message(const Layout& layout, const std::vector<Series>& training,
                    const std::vector<Series>& block) {
  try {
    const auto imputer = fitted({}, series_of(layout, training), layout.depth);
    FloatMatrix in = series_of(layout, block), out = in;
    TestContext context;
    imputer->apply(in.view(), out.view(), context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("gaps inside and at the ends of a series") {
  const Series series = {gap, 2, gap, gap, 8, gap};
  CHECK(filled("interpolate", series) == Series{2, 2, 4, 6, 8, 8});
  CHECK(filled("previous", series) == Series{2, 2, 2, 2, 8, 8});
  CHECK(filled("mean", series) == Series{5, 2, 5, 5, 8, 5});
  CHECK(filled("interpolate", {gap, 3}) == Series{3, 3});
  CHECK(filled("previous", {1, 2, 3}) == Series{1, 2, 3});
}

TEST_CASE("a channel says what was missing, if asked to") {
  CHECK(filled("interpolate", {gap, 2, gap, 4}, true) == Series{2, 1, 2, 0, 3, 1, 4, 0});
}

TEST_CASE("a channel without values has the mean of the training series") {
  const Layout layout = Layout::sequence(3, 2);
  const FloatMatrix training =
      series_of(layout, {{1, 10, 1, gap, 1, 20}, {5, gap, 5, gap, 5, gap}, {2, 60}});
  const auto imputer = fitted({}, training, 2);
  FloatMatrix in = series_of(layout, {{gap, gap, 3, gap, gap, gap}, {4, gap}}), out = in;
  TestContext context;
  imputer->apply(in.view(), out.view(), context);
  CHECK(out.values == Series{3, 30, 3, 30, 3, 30, 4, 30});

  MemoryState state;
  imputer->save(state);
  const auto loaded = make_component<Normalizer>("normalizer/impute_series");
  loaded->bind(layout);
  loaded->load(state, context);
  FloatMatrix again = in;
  loaded->apply(in.view(), again.view(), context);
  CHECK(again.values == out.values);
  const auto other = make_component<Normalizer>("normalizer/impute_series");
  other->bind(Layout::sequence(3, 3));
  CHECK_THROWS_WITH(other->load(state, context),
                    "the saved means are damaged: there are 2 for 3 channels; train the model "
                    "again");
}

TEST_CASE("impute_series: messages") {
  const Layout layout = Layout::sequence(2, 2);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(message(layout, {{1, 2, 3, 4}, {gap, gap, gap, gap}}, {}) ==
        "training row 1 (counted from 0) has no value in any channel; remove it");
  CHECK(message(layout, {{1, gap}, {gap, gap, 3, gap}}, {}) ==
        "channel 2 has no value in any training series, so there is nothing to fill in; remove the "
        "channel");
  CHECK(message(layout, {{1, 2, 3, 4}}, {{1, 2}, {gap, gap}}) ==
        "row 1 of the block (counted from 0) has no value in any channel; remove it");
  CHECK(message(layout, {{1, 2, 3, 4}}, {{1, 2, gap, infinity}}) ==
        "row 0 of the block (counted from 0) is infinite in step 1 (from 0); remove or replace "
        "such values before imputing");
  CHECK_THROWS_WITH_AS(
      make_component<Normalizer>("normalizer/impute_series")->bind(Layout::vector(3)),
      doctest::Contains("impute_series needs sequences"), Error);
}

TEST_CASE("impute_series: each series alone") {
  const Layout layout = Layout::sequence(20, 3);
  FloatMatrix series = random_series(25, layout, 1);
  Random random(5);
  for (float& x : series.values)
    if (random.below(3) == 0) x = gap;
  for (std::size_t i = 0; i < series.rows; ++i) series.view().row(i)[0] = 1;
  for (const char* strategy : {"interpolate", "previous", "mean"})
    for (const bool indicator : {false, true}) {
      const auto imputer =
          fitted({{"strategy", std::string(strategy)}, {"indicator", indicator}}, series, 3);
      check_series_alone(*imputer, layout, series);
    }
}

}  // namespace impute_series_test
