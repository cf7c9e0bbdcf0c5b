// SPDX-License-Identifier: MIT
// Measures on sparse samples: the bits of the same samples laid out densely.
#include <cmath>
#include <limits>

#include "products/stored_bases.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/sparse_testing.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::sparse_samples_test {
namespace {

using namespace testing;

struct SparseMeasure {
  const char* name;
  std::function<std::unique_ptr<Similarity>()> make;
  bool histograms = false;

  FloatMatrix rows(std::size_t count, std::size_t cols, double density, std::uint64_t seed) const {
    FloatMatrix made = sparse_rows(count, cols, density, seed);
    for (float& x : made.values) x = histograms ? std::abs(x) : x;
    return made;
  }
};

std::vector<SparseMeasure> sparse_measures() {
  return {{"linear", part<Similarity>("similarity/linear")},
          {"rbf", part<Similarity>("similarity/rbf", {{"gamma", 0.05}})},
          {"polynomial", part<Similarity>("similarity/polynomial",
                                          {{"degree", std::int64_t{3}}, {"offset", 0.5}})},
          {"cosine", part<Similarity>("similarity/cosine")},
          {"intersection", part<Similarity>("similarity/intersection"), true},
          {"tanimoto", part<Similarity>("similarity/tanimoto"), true},
          {"additive chi_square",
           part<Similarity>("similarity/chi_square", {{"form", std::string("additive")}}), true},
          {"sum", part<Similarity>("similarity/sum", {{"weight", 0.25}},
                                   {{"first", part("similarity/rbf", {{"gamma", 0.1}})},
                                    {"second", part("similarity/cosine")}})}};
}

std::unique_ptr<Similarity> with_bases(std::unique_ptr<Similarity> measure, const Layout& layout,
                                       const FloatMatrix& bases) {
  TestContext context;
  measure->bind(layout);
  measure->set_bases(bases.view(), first_indices(bases.rows), context);
  return measure;
}

/// The error of a measure bound to sparse rows of 4 columns.
std::string refused(const FloatMatrix& bases, const FloatMatrix& samples) {
  TestContext context;
  try {
    compare(*with_bases(make_component<Similarity>("similarity/linear"), Layout::sparse(4), bases),
            samples.view(), context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("sparse samples have the bits of the same samples laid out densely") {
  TestContext context;
  for (const SparseMeasure& kind : sparse_measures())
    for (const double density : {0.02, 0.3}) {
      CAPTURE(kind.name);
      const FloatMatrix bases = kind.rows(45, 200, density, 1);
      const FloatMatrix samples = kind.rows(256, 200, density, 2);
      const auto sparse = with_bases(kind.make(), Layout::sparse(200), bases);
      const auto dense = with_bases(kind.make(), Layout::vector(200), laid_out(bases.view()));
      CHECK(compare(*sparse, samples.view(), context).values ==
            compare(*dense, laid_out(samples.view()).view(), context).values);
      if (!sparse->abilities().compares_with_itself) continue;
      std::vector<float> values(256), expected(256);
      sparse->compare_with_itself(samples.view(), values.data());
      dense->compare_with_itself(laid_out(samples.view()).view(), expected.data());
      CHECK(values == expected);
    }
}

TEST_CASE("sparse samples: blocks, ranges of bases and a saved state change no bit") {
  TestContext context;
  std::vector<SparseMeasure> measures = sparse_measures();
  measures.push_back({"chi_square", part<Similarity>("similarity/chi_square"), true});
  measures.push_back({"laplacian", part<Similarity>("similarity/laplacian")});
  for (const SparseMeasure& kind : measures) {
    CAPTURE(kind.name);
    const FloatMatrix bases = kind.rows(37, 150, 0.1, 3), samples = kind.rows(256, 150, 0.1, 4);
    const auto measure = with_bases(kind.make(), Layout::sparse(150), bases);
    CHECK(measure->bases() == 37);
    CHECK(measure->operations() > 0);
    check_row_independence(*measure, samples);
    check_ranges(*measure, samples);
    check_saved(*measure, *kind.make(), Layout::sparse(150), samples);
    MemoryState state;
    measure->save(state);
    const bool sum = std::string(kind.name) == "sum";
    CHECK(state.floats(sum ? "first_bases" : "bases").view().sparse());
    FloatMatrix out(256, 37);
    context.stop = StopReason::cancelled;
    CHECK_THROWS_AS(measure->apply(samples.view(), out.view(), context), Cancelled);
    context.stop = StopReason::none;
  }
}

TEST_CASE("sparse samples: the linear measure is the inner product") {
  TestContext context;
  const FloatMatrix bases = sparse_rows(20, 80, 0.2, 5), samples = sparse_rows(30, 80, 0.2, 6);
  const auto measure =
      with_bases(make_component<Similarity>("similarity/linear"), Layout::sparse(80), bases);
  const FloatMatrix b = laid_out(bases.view()), x = laid_out(samples.view());
  const FloatMatrix result = compare(*measure, samples.view(), context);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 20; ++j)
      CHECK(result.view().row(i)[j] ==
            doctest::Approx(dot(b.view().row(j), x.view().row(i), 80)).epsilon(1e-5));
}

TEST_CASE("chi-square distances of sparse rows are exact to rounding, and 0 for equal rows") {
  TestContext context;
  const SparseMeasure kind{"chi_square",
                           part<Similarity>("similarity/chi_square", {{"gamma", 0.3}}), true};
  const FloatMatrix rows = kind.rows(60, 300, 0.1, 8);
  const auto measure = with_bases(kind.make(), Layout::sparse(300), rows);
  const FloatMatrix values = compare(*measure, rows.view(), context);
  std::vector<double> expected(60);
  for (std::size_t i = 0; i < 60; ++i) {
    measure->compare_plainly(rows.view(), rows.view().rows_range(i, 1), expected.data());
    CHECK(values.view().row(i)[i] == 1);
    for (std::size_t j = 0; j < 60; ++j)
      CHECK(values.view().row(i)[j] == doctest::Approx(expected[j]).epsilon(5e-6));
  }
}

TEST_CASE("a negative value of sparse rows is named by its row and column") {
  TestContext context;
  FloatMatrix good = sparse_rows(3, 4, 0.8, 7);
  for (float& x : good.values) x = std::abs(x);
  FloatMatrix bad = good;
  bad.view().row(2)[1] = -0.5F;
  const std::string column = std::to_string(bad.view().columns_of(2)[1]);
  for (const std::string name : {"intersection", "chi_square", "tanimoto"}) {
    std::string message = ", column ";
    message += column;
    message += " (both counted from 0) is -0.5, but ";
    message += name;
    message +=
        " compares histograms; use non-negative features, and no normalizer that can make them "
        "negative, as zscore and min_max can";
    const auto make = [&] { return make_component<Similarity>("similarity/" + name); };
    CHECK_THROWS_WITH_AS(with_bases(make(), Layout::sparse(4), bad), ("basis 2" + message).c_str(),
                         Error);
    const auto measure = with_bases(make(), Layout::sparse(4), good);
    CHECK_THROWS_WITH_AS(compare(*measure, bad.view(), context),
                         ("row 2 of the block" + message).c_str(), Error);
  }
}

TEST_CASE("what a measure on sparse samples refuses") {
  const FloatMatrix rows = sparse_rows(3, 4, 0.8, 7);
  CHECK(refused(rows, rows).empty());
  CHECK(refused(sparse_rows(3, 5, 0.8, 7), rows) ==
        "the bases have 5 values, the samples 4; both must come from the same features");
  CHECK(refused(laid_out(rows.view()), rows) ==
        "each basis must be a sparse vector of 4, but they are not sparse; both must come from the "
        "same features");
  CHECK(refused(rows, laid_out(rows.view())) ==
        "each sample must be a sparse vector of 4, but they are not sparse; both must come from "
        "the same features");
  for (const auto& [value, name] : {std::pair{std::numeric_limits<float>::infinity(), "infinite"},
                                    {std::numeric_limits<float>::quiet_NaN(), "NaN"}}) {
    FloatMatrix damaged = rows;
    damaged.view().row(2)[1] = value;
    const std::string place = ", column " + std::to_string(damaged.view().columns_of(2)[1]) +
                              " (both counted from 0) is " + name +
                              "; sparse rows are compared by their finite values only: remove or "
                              "replace others";
    CHECK(refused(damaged, rows) == "basis 2" + place);
    CHECK(refused(rows, damaged) == "row 2 of the block" + place);
  }
}

TEST_CASE("sparse bases take memory for their values, and are refused with the arithmetic") {
  TestContext context;
  context.budget = std::size_t{1} << 20;
  FloatMatrix bases = sparse_rows(3, 4, 0.8, 7);
  bases.cols = 4'000'000'000;
  std::ranges::for_each(bases.columns, [](std::uint32_t& column) { column *= 999'999'999; });
  const FloatMatrix few = sparse_rows(3, 4, 0.8, 7);
  CHECK(compare(*with_bases(make_component<Similarity>("similarity/linear"),
                            Layout::sparse(bases.cols), bases),
                bases.view(), context)
            .values == compare(*with_bases(make_component<Similarity>("similarity/linear"),
                                           Layout::sparse(4), few),
                               few.view(), context)
                           .values);
  context.budget = 16;
  const auto measure = make_component<Similarity>("similarity/linear");
  measure->bind(Layout::sparse(bases.cols));
  const std::string values = std::to_string(bases.values.size());
  const std::string message = "sparse bases with " + values +
                              " values take up to 0 MiB (20 bytes a value, 16 a column that has "
                              "some), but 0 MiB are allowed; use fewer bases, or raise --memory";
  CHECK_THROWS_WITH_AS(measure->set_bases(bases.view(), first_indices(3), context), message.c_str(),
                       Error);
}

TEST_CASE("dense measures refuse sparse rows, and what is for dense rows alone says so") {
  TestContext context;
  const FloatMatrix rows = sparse_rows(3, 4, 0.8, 7);
  const auto dense = with_bases(make_component<Similarity>("similarity/linear"), Layout::vector(4),
                                laid_out(rows.view()));
  FloatMatrix out(3, 3);
  CHECK_THROWS_WITH_AS(dense->apply(rows.view(), out.view(), context),
                       "each sample must be a vector of 4, but they are sparse; both must come "
                       "from the same features",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Similarity>("similarity/rbf", {{"precision", std::string("bf16")}})
          ->bind(Layout::sparse(4)),
      "'precision: bf16' is for dense samples, and these are sparse; omit it, or "
      "put feature/dense before it",
      Error);
  CHECK_THROWS_AS(make_component<Similarity>("similarity/rigid")->bind(Layout::sparse(4)), Error);
  const auto sum = make_component<Similarity>(
      "similarity/sum", {{"columns", std::int64_t{2}}},
      {{"first", part("similarity/rbf")}, {"second", part("similarity/linear")}});
  CHECK_THROWS_WITH_AS(sum->bind(Layout::sparse(4)),
                       "'columns: 2' cuts dense samples in two, and these are sparse; set 0 to let "
                       "both similarities compare the whole sample, or put feature/dense before it",
                       Error);
}

}  // namespace
}  // namespace semblance::vectors::sparse_samples_test
