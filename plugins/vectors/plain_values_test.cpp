// SPDX-License-Identifier: MIT
// The values that machines and the runtime check a measure with.
#include "similarity_testing.hpp"

namespace semblance::vectors::plain_values_test {
namespace {

using namespace testing;

/// Rows from tiny to large, with zeros: bases and samples also share some.
FloatMatrix rows_of_all_sizes(std::size_t count, std::uint64_t seed) {
  FloatMatrix rows = histogram_rows(count, 9, seed);
  for (std::size_t i = 0; i < count; ++i)
    for (float& x : rows.view().row_span(i)) x *= i % 3 == 0 ? 0.01F : i % 3 == 1 ? 1.0F : 3.0F;
  return rows;
}

TEST_CASE("plain values are those of the measure, for tiny rows and for zeros too") {
  const std::vector<std::pair<std::string, Parameters>> measures = {
      {"similarity/linear", {}},
      {"similarity/cosine", {}},
      {"similarity/polynomial", {{"degree", std::int64_t{3}}}},
      {"similarity/rbf", {{"gamma", 0.3}}},
      {"similarity/intersection", {}},
      {"similarity/tanimoto", {}},
      {"similarity/laplacian", {{"gamma", 0.3}}},
      {"similarity/chi_square", {{"gamma", 0.7}}},
      {"similarity/chi_square", {{"form", std::string("additive")}}}};
  const FloatMatrix bases = rows_of_all_sizes(20, 1), samples = rows_of_all_sizes(15, 2);
  TestContext context;
  for (const auto& [id, parameters] : measures) {
    CAPTURE(id);
    const auto measure = make_component<Similarity>(id, parameters);
    measure->bind(Layout::vector(9));
    measure->set_bases(bases.view(), first_indices(20), context);
    const FloatMatrix computed = compare(*measure, samples.view(), context);
    for (std::size_t i = 0; i < 15; ++i) {
      std::vector<double> values(20);
      measure->compare_plainly(bases.view(), samples.view().rows_range(i, 1), values.data());
      for (std::size_t j = 0; j < 20; ++j)
        CHECK(values[j] == doctest::Approx(computed.view().row(i)[j]).epsilon(2e-5));
    }
  }
}

}  // namespace
}  // namespace semblance::vectors::plain_values_test
