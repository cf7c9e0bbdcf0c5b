// SPDX-License-Identifier: MIT
#include <algorithm>

#include "normalizer_testing.hpp"

namespace impute_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// Rows of normal values, a fifth of them missing.
FloatMatrix rows_with_gaps(std::size_t rows, std::size_t cols) {
  FloatMatrix m = sample_rows(rows, cols);
  Random random(3);
  for (float& x : m.values)
    if (random.below(5) == 0) x = missing;
  return m;
}

/// The present values of a column, ascending.
std::vector<float> column(const FloatMatrix& m, std::size_t c) {
  std::vector<float> values;
  for (std::size_t i = 0; i < m.rows; ++i)
    if (!std::isnan(m.values[i * m.cols + c])) values.push_back(m.values[i * m.cols + c]);
  std::sort(values.begin(), values.end());
  return values;
}

/// The fill value of column c.
float filled(const Normalizer& imputer, std::size_t cols, std::size_t c) {
  FloatMatrix gaps(1, cols);
  std::fill(gaps.values.begin(), gaps.values.end(), missing);
  return apply(imputer, gaps).values[c];
}

std::unique_ptr<Normalizer> fitted(const Parameters& parameters, const FloatMatrix& m,
                                   std::size_t threads = 2) {
  auto imputer = make_component<Normalizer>("normalizer/impute", parameters);
  imputer->bind(Layout::vector(m.cols));
  fit(*imputer, m, threads);
  return imputer;
}

}  // namespace

TEST_CASE("means and medians are those of the values that are there") {
  for (const std::size_t count : {1110, 1111}) {
    const FloatMatrix m = rows_with_gaps(count, 5);
    const auto mean = fitted({}, m);
    const auto median = fitted({{"strategy", std::string("median")}}, m);
    for (std::size_t c = 0; c < 5; ++c) {
      const auto values = column(m, c);
      double sum = 0;
      for (const float x : values) sum += double(x);
      CHECK(filled(*mean, 5, c) == doctest::Approx(sum / double(values.size())).epsilon(1e-6));
      const std::size_t n = values.size();
      const float middle =
          static_cast<float>(n % 2 == 1 ? double(values[n / 2])
                                        : (double(values[n / 2 - 1]) + double(values[n / 2])) / 2);
      CHECK(filled(*median, 5, c) == middle);
    }
    const FloatMatrix out = apply(*mean, m);
    for (std::size_t i = 0; i < m.values.size(); ++i)
      if (!std::isnan(m.values[i])) CHECK(out.values[i] == m.values[i]);
  }
}

TEST_CASE("a constant is filled in even where a column has no values") {
  FloatMatrix m(2, 2);
  m.values = {missing, 3, missing, missing};
  const auto constant = fitted({{"strategy", std::string("constant")}, {"value", -1.5}}, m);
  CHECK(apply(*constant, m).values == std::vector<float>{-1.5f, 3, -1.5f, -1.5f});
}

TEST_CASE("indicators stand behind the values, for columns that miss some in training") {
  FloatMatrix m(2, 3);
  m.values = {1, missing, 5, 3, 4, 5};
  auto imputer = make_component<Normalizer>("normalizer/impute", {{"indicator", true}});
  CHECK(imputer->bind(Layout::grid(1, 3, 1)) == Layout::vector(6));
  fit(*imputer, m);
  FloatMatrix in(2, 3), out(2, 6);
  in.values = {missing, missing, 7, 8, 9, missing};
  TestContext context;
  imputer->apply(in.view(), out.view(), context);
  CHECK(out.values == std::vector<float>{2, 4, 7, 0, 1, 0, 8, 9, 5, 0, 0, 0});
}

TEST_CASE("the same bits with any number of threads, any memory and after loading") {
  const FloatMatrix m = rows_with_gaps(5000, 7);
  for (const char* strategy : {"mean", "median"}) {
    const Parameters parameters = {{"strategy", std::string(strategy)}};
    const auto one = fitted(parameters, m, 1);
    const auto expected = apply(*one, m).values;
    CHECK(apply(*fitted(parameters, m, 3), m).values == expected);
    auto narrow = make_component<Normalizer>("normalizer/impute", parameters);
    narrow->bind(Layout::vector(7));
    TestContext tight(2);
    tight.budget = 1;
    const MemoryRows rows(m);
    narrow->fit({rows, Layout::vector(7), {}, {}}, tight);
    CHECK(apply(*narrow, m).values == expected);
    MemoryState state;
    one->save(state);
    auto loaded = make_component<Normalizer>("normalizer/impute", parameters);
    loaded->bind(Layout::vector(7));
    loaded->load(state, tight);
    CHECK(apply(*loaded, m).values == expected);
  }
}

TEST_CASE("what cannot be filled in is refused") {
  FloatMatrix m(2, 2);
  m.values = {1, missing, 2, missing};
  CHECK_THROWS_WITH_AS(fitted({}, m),
                       "column 1 (from 0) has no value in any training row, so there is no mean to "
                       "fill in; ignore the column, or set 'strategy: constant' or 'empty: zero'",
                       Error);
  CHECK_THROWS_WITH_AS(
      fitted({{"strategy", std::string("median")}}, m),
      "column 1 (from 0) has no value in any training row, so there is no median "
      "to fill in; ignore the column, or set 'strategy: constant' or 'empty: zero'",
      Error);
  for (const char* strategy : {"mean", "median"}) {
    const auto filled =
        fitted({{"strategy", std::string(strategy)}, {"empty", std::string("zero")}}, m);
    FloatMatrix fresh(1, 2);
    fresh.values = {missing, missing};
    CHECK(apply(*filled, fresh).values == std::vector<float>{1.5f, 0});
  }
  auto told = make_component<Normalizer>("normalizer/impute", {{"empty", std::string("zero")}});
  told->bind(Layout::vector(2));
  TestContext context;
  const MemoryRows rows(m);
  const Layout layout = Layout::vector(2);
  told->fit({rows, layout, {}, {}}, context);
  CHECK(context.lines == std::vector<std::string>{
                             "1 column has no value in any training row and is filled with 0; the "
                             "first is column 1 (counted from 0)"});
  CHECK_THROWS_WITH_AS(fitted({}, FloatMatrix(0, 2)), "there are no training rows to learn from",
                       Error);
  m.values = {1, 2, std::numeric_limits<float>::infinity(), 4};
  CHECK_THROWS_WITH_AS(fitted({}, m),
                       "the value in training row 1, column 0 (both from 0) is "
                       "infinite; remove or replace such values before imputing",
                       Error);
  FloatMatrix whole(2, 2);
  whole.values = {1, 2, 3, 4};
  CHECK_THROWS_WITH_AS(
      apply(*fitted({}, whole), m),
      "the value in row 1 of the block, column 0 (both from 0) is infinite; remove "
      "or replace such values before imputing",
      Error);
  CHECK_THROWS_WITH_AS(make_component<Normalizer>("normalizer/impute", {{"value", 2.0}}),
                       "'value' is what 'strategy: constant' fills in, but the strategy is mean; "
                       "remove one of them",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Normalizer>("normalizer/impute",
                                 {{"strategy", std::string("constant")}, {"value", 1e39}}),
      "'value' is too large for float32; give a smaller one", Error);
}

TEST_CASE("a mean that float32 rounds by more than little is reported") {
  const auto impute = make_component<Normalizer>("normalizer/impute");
  impute->bind(Layout::vector(5));
  TestContext context;
  const auto lines = [&](const FloatMatrix& values) {
    const MemoryRows rows(values);
    context.lines.clear();
    impute->fit({rows, Layout::vector(5), {}, {}}, context);
    return context.lines;
  };
  CHECK(lines(rows_at(0, 300, 5)).empty());
  CHECK(lines(rows_at(1000, 300, 5)).empty());
  FloatMatrix constant(300, 5);
  std::fill(constant.values.begin(), constant.values.end(), 123456.7F);
  CHECK(lines(constant).empty());
  const auto far = lines(rows_at(16000000, 300, 5));
  REQUIRE(far.size() == 1);
  CHECK(far[0].find(", since rows are float32, while the column's standard deviation is 3.") !=
        std::string::npos);
  CHECK(far[0].find("subtract a constant from the column first") != std::string::npos);
}

}  // namespace impute_test
