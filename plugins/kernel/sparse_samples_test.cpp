// SPDX-License-Identifier: MIT
// Kernel machines on sparse samples have the same bits as on their dense form.
#include <doctest/doctest.h>

#include "kernel_svm_testing.hpp"
#include "semblance/ranks_testing.hpp"
#include "semblance/row_error.hpp"
#include "solver_testing.hpp"
#include "sparse_clouds_testing.hpp"

namespace semblance::kernel::sparse_samples_test {
namespace {

using namespace testing;

const Parameters gaussian = {{"gamma", 0.05}};

/// All figures except those that depend on the storage of samples.
std::string figures(MemoryReport report) {
  report.integers.erase("parameters");
  return semblance::testing::bits_of(report);
}

void check_as_dense(const KernelMaker& kernel, const Parameters& parameters,
                    const Parameters& of_kernel, std::size_t classes) {
  const Data sparse = sparse_clouds(260, 60, classes), dense = laid_out(sparse);
  TestContext context;
  const auto expected = kernel_svm(kernel, parameters, of_kernel);
  const std::string dense_figures = figures(train(*expected, dense, context));
  const FloatMatrix expected_scores = scores(*expected, dense.values, classes);
  for (const std::size_t threads : {1U, 4U}) {
    TestContext several(threads);
    const auto svm = kernel_svm(kernel, parameters, of_kernel);
    const MemoryReport report = train(*svm, sparse, several);
    CHECK(figures(report) == dense_figures);
    const std::int64_t vectors = report.integers.at("support_vectors");
    // Their entries, and one coefficient each.
    CHECK(report.integers.at("parameters") > vectors);
    CHECK(report.integers.at("parameters") < vectors * (60 + 1) / 2);
    CHECK(scores(*svm, sparse.values, classes).values == expected_scores.values);
    MemoryState state;
    svm->save(state);
    CHECK(state.floats("kernel_bases").is_sparse);
    const auto loaded = kernel_svm(kernel, parameters, of_kernel);
    loaded->bind(Layout::sparse(60));
    loaded->load(state, context);
    CHECK(scores(*loaded, sparse.values, classes).values == expected_scores.values);
  }
}

}  // namespace

TEST_CASE("sparse samples give the machine of the same samples laid out densely") {
  check_as_dense("similarity/rbf", {{"C", 2.0}}, gaussian, 2);
  check_as_dense("similarity/rbf", {{"C", 2.0}}, gaussian, 4);
  check_as_dense("similarity/rbf", {}, {}, 3);
  check_as_dense("similarity/linear", {{"C", 0.5}}, {}, 3);
  check_as_dense("similarity/polynomial",
                 {{"C", 0.1}, {"multiclass", std::string("one_versus_rest")}}, {}, 3);
  check_as_dense("similarity/cosine", {}, {}, 3);
}

TEST_CASE("so does a kernel whose matrix is looked at, or repaired") {
  const Parameters indefinite = {{"offset", -1.0}, {"degree", std::int64_t{3}}};
  check_as_dense("similarity/polynomial", {{"C", 0.01}, {"repair", std::string("clip")}},
                 indefinite, 2);
  check_as_dense("similarity/polynomial", {{"C", 0.01}, {"repair", std::string("flip")}},
                 indefinite, 3);
}

TEST_CASE("sparse samples: little memory changes no bit, and too little is refused") {
  const Data data = sparse_clouds(1500, 200, 2, 0.05);
  TestContext large;
  const auto expected = kernel_svm("similarity/rbf", {}, gaussian);
  const std::string figures_expected = figures(train(*expected, data, large));
  TestContext small;
  small.budget = std::size_t{2} << 20;
  const auto svm = kernel_svm("similarity/rbf", {}, gaussian);
  CHECK(figures(train(*svm, data, small)) == figures_expected);
  CHECK(saved_bits(*svm) == saved_bits(*expected));
  small.budget = std::size_t{100} << 10;
  CHECK_THROWS_AS(train(*svm, data, small), Error);
}

TEST_CASE("a sparse sample that is not finite is refused before anything is learned") {
  Data data = sparse_clouds(30, 10, 2);
  data.values.values[4] = INFINITY;
  TestContext context;
  const auto svm = kernel_svm("similarity/rbf", {}, gaussian);
  CHECK_THROWS_WITH_AS(train(*svm, data, context),
                       "training row 4, column 2 (both counted from 0) is infinite; training needs "
                       "finite values",
                       Error);
}

}  // namespace semblance::kernel::sparse_samples_test
