// SPDX-License-Identifier: MIT
// The bases chosen among sparse rows are those chosen among the dense form.
#include "basis_testing.hpp"
#include "semblance_numerics/sparse_testing.hpp"

namespace semblance::bases::sparse_rows_test {
namespace {

using namespace testing;

constexpr std::size_t count = 90, dimension = 70;

std::vector<std::int64_t> chosen(Basis& basis, const FloatMatrix& values, Context& context) {
  const MemoryRows rows(values);
  const Layout layout = values.is_sparse ? Layout::sparse(dimension) : Layout::vector(dimension);
  std::vector<std::int32_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::int32_t>(i % 3);
  const std::vector<std::string> classes = {"a", "b", "c"};
  return basis.select({rows, layout, labels, classes}, context);
}

void check_as_dense(Basis& basis) {
  const FloatMatrix rows = sparse_rows(count, dimension, 0.2, 1);
  TestContext one(1), two(2);
  const auto expected = chosen(basis, laid_out(rows.view()), one);
  CHECK_FALSE(expected.empty());
  CHECK(chosen(basis, rows, one) == expected);
  CHECK(chosen(basis, rows, two) == expected);
}

std::unique_ptr<Basis> medoids_by(const std::string& measure, const Parameters& of_measure,
                                  const Parameters& values) {
  return make_component<Basis>("basis/k_medoids", values,
                               {{"similarity", part(measure, of_measure)}});
}

TEST_CASE("bases among sparse rows are those among the same rows laid out densely") {
  check_as_dense(*make_basis("basis/random", {{"count", 20}}));
  check_as_dense(*make_basis("basis/index", {{"per_class", 5}}));
  check_as_dense(
      *medoids_by("similarity/rbf", {{"gamma", 0.05}}, {{"per_class", std::int64_t{4}}}));
  check_as_dense(*medoids_by("similarity/cosine", {}, {{"per_class", std::int64_t{3}}}));
}

TEST_CASE("k_medoids counts the entries of sparse rows, not their dimension") {
  const FloatMatrix rows = sparse_rows(count, dimension, 0.1, 2);
  FloatMatrix wide = rows;
  wide.cols = 1'000'000'000;
  const MemoryRows stored(wide);
  const std::vector<std::int32_t> labels(count, 0);
  const std::vector<std::string> classes = {"a"};
  TestContext context;
  context.budget = 32 << 10;
  const auto basis = medoids_by("similarity/cosine", {}, {{"per_class", std::int64_t{2}}});
  CHECK_THROWS_WITH_AS(basis->select({stored, Layout::sparse(wide.cols), labels, classes}, context),
                       "comparing the 90 candidates of class 'a' with each other takes 1 MiB, but "
                       "0 MiB are allowed; lower candidates or raise --memory",
                       Error);
}

}  // namespace
}  // namespace semblance::bases::sparse_rows_test
