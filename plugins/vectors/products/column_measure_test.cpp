// SPDX-License-Identifier: MIT
// Measures that state their formula once, as a new one would.
#include "products/column_measure.hpp"

#include "semblance_numerics/sparse_testing.hpp"
#include "similarity_testing.hpp"

namespace semblance::vectors::column_measure_test {
namespace {

using namespace testing;

/// 2 <b, x> / (|b|^2 + |x|^2), and 0 for two rows of zeros.
class Dice final : public ProductMeasure<Dice> {
 public:
  explicit Dice(const char* precision = "fp32") { precision_ = precision; }
  template <class T>
  T value(T product, T of_b, T of_x) const {
    return if_positive(of_b + of_x, 2 * product / (of_b + of_x), static_cast<T>(0));
  }
  double operations() const noexcept override { return 2 * columns() + 3; }
};

double dice(MatrixView bases, std::size_t j, MatrixView samples, std::size_t i) {
  const auto dot_of = [](std::span<const float> a, std::span<const float> b) {
    return dot(a.data(), b.data(), a.size());
  };
  const auto b = bases.row_span(j), x = samples.row_span(i);
  const double both = dot_of(b, b) + dot_of(x, x);
  return both > 0 ? 2 * dot_of(b, x) / both : 0;
}

TEST_CASE("a formula of a product and both squared lengths gives blocks, ranges and own values") {
  FloatMatrix bases = normal_rows(37, 19, 1), samples = normal_rows(50, 19, 2);
  for (FloatMatrix* rows : {&bases, &samples}) std::ranges::fill(rows->view().row_span(3), 0.0F);
  TestContext context;
  Dice measure;
  measure.bind(Layout::vector(19));
  measure.set_bases(bases.view(), first_indices(37), context);
  const FloatMatrix all = compare(measure, samples.view(), context);
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t j = 0; j < bases.rows; ++j)
      CHECK(all.view().row(i)[j] ==
            doctest::Approx(dice(bases.view(), j, samples.view(), i)).epsilon(1e-5));
  std::vector<float> own(samples.rows);
  measure.compare_with_itself(samples.view(), own.data());
  for (std::size_t i = 0; i < own.size(); ++i)
    CHECK(own[i] == doctest::Approx(i == 3 ? 0 : 1).epsilon(1e-6));
  check_contract([] { return std::make_unique<Dice>(); }, Layout::vector(19));
}

TEST_CASE(
    "sparse rows give the bits of the same rows with their zeros, bf16 those of rounded rows") {
  const FloatMatrix rows = sparse_rows(30, 60, 0.2, 3), dense = laid_out(rows.view());
  TestContext context;
  Dice sparse, laid, rounded("bf16"), exact;
  sparse.bind(Layout::sparse(60));
  for (Dice* measure : {&laid, &rounded, &exact}) measure->bind(Layout::vector(60));
  sparse.set_bases(rows.view(), first_indices(30), context);
  laid.set_bases(dense.view(), first_indices(30), context);
  CHECK(compare(sparse, rows.view(), context).values ==
        compare(laid, dense.view(), context).values);
  FloatMatrix near = dense;
  for (float& x : near.values) x = to_float(to_bf16(x));
  rounded.set_bases(dense.view(), first_indices(30), context);
  exact.set_bases(near.view(), first_indices(30), context);
  const auto a = compare(rounded, dense.view(), context), b = compare(exact, near.view(), context);
  for (std::size_t k = 0; k < a.values.size(); ++k)
    CHECK(a.values[k] == doctest::Approx(b.values[k]).epsilon(1e-5));
}

}  // namespace
}  // namespace semblance::vectors::column_measure_test
