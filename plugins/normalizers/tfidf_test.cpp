// SPDX-License-Identifier: MIT
#include "normalizer_testing.hpp"
#include "semblance/sparse_testing.hpp"

namespace tfidf_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::unique_ptr<Normalizer> fitted(const FloatMatrix& rows, const Parameters& parameters,
                                   std::size_t threads = 2) {
  auto tfidf = make_component<Normalizer>("normalizer/tfidf", parameters);
  tfidf->bind(rows.is_sparse ? Layout::sparse(rows.cols) : Layout::vector(rows.cols));
  fit(*tfidf, rows, threads);
  return tfidf;
}

std::vector<float> weighted(const Normalizer& tfidf, const FloatMatrix& rows) {
  TestContext context;
  FloatMatrix out(rows.view());
  tfidf.apply(rows.view(), out.view(), context);
  return out.values;
}

}  // namespace

TEST_CASE("counts are weighed as scikit-learn's TfidfTransformer weighs them") {
  // TfidfTransformer(norm=None, sublinear_tf=s, smooth_idf=i) on [[3, 0, 1], [2, 0, 0], [3, 0, 0]].
  FloatMatrix rows(3, 3);
  rows.values = {3, 0, 1, 2, 0, 0, 3, 0, 0};
  const auto check = [&](bool sublinear, bool smooth, float first, float third, float second_row) {
    const auto found =
        weighted(*fitted(rows, {{"sublinear", sublinear}, {"smooth", smooth}}), rows);
    CHECK(found[0] == doctest::Approx(first).epsilon(1e-6));
    CHECK(found[1] == 0);
    CHECK(found[2] == doctest::Approx(third).epsilon(1e-6));
    CHECK(found[3] == doctest::Approx(second_row).epsilon(1e-6));
  };
  check(false, true, 3, 1.69314718F, 2);
  check(true, true, 2.09861229F, 1.69314718F, 1.69314718F);
  check(true, false, 2.09861229F, 2.09861229F, 1.69314718F);
}

TEST_CASE("sparse rows become what dense ones do, with any number of threads and ranks' parts") {
  const FloatMatrix dense = counts(700, 60, 0.1), sparse = sparse_of(dense.view());
  for (const bool sublinear : {false, true})
    for (const bool smooth : {false, true}) {
      const Parameters parameters = {{"sublinear", sublinear}, {"smooth", smooth}};
      const std::vector<float> expected =
          sparse_of({weighted(*fitted(dense, parameters), dense).data(), 700, 60, 60}).values;
      CHECK(weighted(*fitted(sparse, parameters, 1), sparse) == expected);
      CHECK(weighted(*fitted(sparse, parameters, 2), sparse) == expected);
    }
}

TEST_CASE("terms that training rows lack") {
  FloatMatrix train(2, 2), test(1, 2);
  train.values = {1, 0, 1, 0};
  test.values = {0, 4};
  // ln(1 + n) + 1, or nothing.
  CHECK(weighted(*fitted(train, {}), test)[1] == doctest::Approx(4 * (std::log(3.0) + 1)));
  CHECK(weighted(*fitted(train, {{"smooth", false}}), test)[1] == 0);
  CHECK(weighted(*fitted(train, {{"idf", false}}), test)[1] == 4);
}

TEST_CASE("where the columns are changes no bit, and memory follows those that occur") {
  const FloatMatrix near = sparse_of(counts(300, 40, 0.2).view());
  FloatMatrix far = near;
  for (std::uint32_t& column : far.columns) column = column * 50'000'000 + 7;
  far.cols = 2'000'000'000;
  for (const Parameters& parameters :
       std::vector<Parameters>{{}, {{"smooth", false}}, {{"sublinear", true}}, {{"idf", false}}}) {
    const auto one = fitted(near, parameters), other = fitted(far, parameters);
    CHECK(weighted(*other, far) == weighted(*one, near));
    MemoryState state;
    other->save(state);
    const auto loaded = make_component<Normalizer>("normalizer/tfidf", parameters);
    loaded->bind(Layout::sparse(far.cols));
    TestContext context;
    loaded->load(state, context);
    FloatMatrix fresh = far;
    ++fresh.columns.back();
    CHECK(weighted(*loaded, fresh) == weighted(*other, fresh));
    const bool idf = parameters.empty() || parameters[0].first != "idf";
    const bool smooth = parameters.empty() || parameters[0].first != "smooth";
    const bool sublinear = !parameters.empty() && parameters[0].first == "sublinear";
    const double count = fresh.values.back();
    CHECK(
        weighted(*loaded, fresh).back() ==
        doctest::Approx((sublinear ? 1 + std::log(count) : count) * (!idf     ? 1
                                                                     : smooth ? std::log(301.0) + 1
                                                                              : 0)));
  }
}

TEST_CASE("what is learned is saved") {
  const FloatMatrix rows = sparse_of(counts(300, 40, 0.2).view());
  const auto first = fitted(rows, {});
  MemoryState state;
  first->save(state);
  auto second = make_component<Normalizer>("normalizer/tfidf");
  second->bind(Layout::sparse(40));
  TestContext context;
  second->load(state, context);
  CHECK(weighted(*second, rows) == weighted(*first, rows));
}

TEST_CASE("what is no count is refused") {
  FloatMatrix rows(1, 3);
  const auto message = [&](float value, bool sublinear) {
    rows.values = {1, 0, value};
    FloatMatrix train(1, 3);
    const auto tfidf = fitted(train, {{"sublinear", sublinear}});
    try {
      weighted(*tfidf, rows);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message(-1, false) ==
        "the value -1.000000 in row 0 of the block, column 2 (both from 0) is no count; give it "
        "counts of terms, before anything else has scaled them");
  CHECK(message(0.5F, true) ==
        "the value 0.500000 in row 0 of the block, column 2 (both from 0) is no count, as "
        "'sublinear' needs it: at least 1, or 0; give it counts of terms, before anything else has "
        "scaled them");
  CHECK(message(0.5F, false).empty());
  CHECK(message(std::numeric_limits<float>::quiet_NaN(), false).find("is no count") !=
        std::string::npos);
}

}  // namespace tfidf_test
