// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "export/c_program.hpp"
#include "export/c_text.hpp"
#include "export/proof.hpp"
#include "semblance/column_similarity.hpp"
#include "semblance/error.hpp"
#include "semblance/testing.hpp"

namespace c_writer_test {

using namespace semblance;

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/// The machine with these scores.
ExportedMachine machine_with(Formula formula, Formula::Value scores, std::size_t inputs) {
  ExportedMachine machine;
  const std::size_t classes = formula.width(scores);
  machine.formula = std::move(formula);
  machine.scores = scores;
  machine.pipeline = "a */ b // ?\?/";
  machine.node = "svm";
  machine.from = "t";
  machine.layout = "vector";
  machine.inputs = inputs;
  for (std::size_t c = 0; c < classes; ++c)
    machine.outputs.push_back("\"class\\ ?\?= \xc3\xa4 " + std::to_string(c) + "\n");
  return machine;
}

FloatMatrix rows_of(std::vector<std::vector<float>> rows) {
  FloatMatrix all(rows.size(), rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], all.view().row(i));
  return all;
}

/// Checks that the C program gives the results of the formula, value by value, and those of
/// `expected`.
template <class Expected>
void check(const Formula& formula, Formula::Value result, const FloatMatrix& rows,
           const Expected& expected) {
  const ExportedMachine machine = machine_with(formula, result, rows.cols);
  const CProgram program(write_c(machine, "m", "said").text, "m", rows.cols,
                         machine.outputs.size());
  const ExportedScores found = program.scores(rows.view());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto row = rows.view().row_span(i);
    const auto own = evaluate(formula, row)[result.step];
    for (std::size_t c = 0; c < own.size(); ++c) {
      const double value = expected(row, c);
      CAPTURE(i);
      CAPTURE(c);
      CHECK(own[c] == doctest::Approx(value).epsilon(1e-6));
      CHECK(double{found.scores.view().row(i)[c]} == doctest::Approx(value).epsilon(1e-5));
    }
  }
}

/// tanh of the sum of |b - x|^3, less 1 for a sum of 0.
class Own final : public ColumnSimilarity<Own> {
 public:
  template <class T>
  T term(T b, T x) const {
    using std::abs;
    return power(abs(b - x), 3);
  }
  template <class T>
  T value(T sum) const {
    using std::exp, std::log, std::max, std::min, std::sqrt, std::tanh;
    const T limited = min(max(sum, static_cast<T>(-1)), static_cast<T>(100));
    return if_positive(limited, static_cast<T>(tanh(exp(log(sqrt(limited) + 1.0)) - 1.0)),
                       static_cast<T>(-1));
  }
};

/// <b, x> / (|b|^2 + |x|^2 + 1).
class OwnLengths final : public ColumnSimilarity<OwnLengths> {
 public:
  template <class T>
  T term(T b, T x) const {
    return b * x;
  }
  template <class T>
  T value(T product, T of_b, T of_x) const {
    return static_cast<T>(product / (of_b + of_x + 1.0));
  }
};

const FloatMatrix points = rows_of({{0.5F, 2, 0.25F}, {1, 0.125F, 3}, {2, 1, 1}, {0.75F, 4, 0.5F}});

}  // namespace

TEST_CASE("each operator on single values is what it is called") {
  const auto with = [](const auto& make, const auto& expected) {
    for (const bool wide : {false, true}) {
      Formula f;
      const auto in = f.input(3);
      const auto x = wide ? f.widen(in) : in;
      const auto y = f.narrow(make(f, x, f.number(1.5, x)));
      check(f, y, points, [&](std::span<const float> row, std::size_t c) {
        return expected(double{row[c]}, 1.5);
      });
    }
  };
  using F = Formula;
  using V = Formula::Value;
  with([](F& f, V x, V y) { return f.add(x, y); }, [](double x, double y) { return x + y; });
  with([](F& f, V x, V y) { return f.subtract(x, y); }, [](double x, double y) { return x - y; });
  with([](F& f, V x, V y) { return f.multiply(x, y); }, [](double x, double y) { return x * y; });
  with([](F& f, V x, V y) { return f.divide(y, x); }, [](double x, double y) { return y / x; });
  with([](F& f, V x, V y) { return f.minimum(x, y); },
       [](double x, double y) { return std::min(x, y); });
  with([](F& f, V x, V y) { return f.maximum(y, x); },
       [](double x, double y) { return std::max(x, y); });
  with([](F& f, V x, V) { return f.exponential(x); }, [](double x, double) { return std::exp(x); });
  with([](F& f, V x, V) { return f.logarithm(x); }, [](double x, double) { return std::log(x); });
  with([](F& f, V x, V) { return f.square_root(x); },
       [](double x, double) { return std::sqrt(x); });
  with([](F& f, V x, V) { return f.hyperbolic_tangent(x); },
       [](double x, double) { return std::tanh(x); });
  with([](F& f, V x, V) { return f.sine(x); }, [](double x, double) { return std::sin(x); });
  with([](F& f, V x, V) { return f.cosine(x); }, [](double x, double) { return std::cos(x); });
  with([](F& f, V x, V y) { return f.absolute(f.subtract(x, y)); },
       [](double x, double y) { return std::abs(x - y); });
  with([](F& f, V x, V) { return f.power(x, 13); },
       [](double x, double) { return std::pow(x, 13); });
  with([](F& f, V x, V y) { return f.where_greater(x, y, f.number(7, x), x); },
       [](double x, double y) { return x > y ? 7 : x; });
}

TEST_CASE("the formula of a measure of one's own is exported as it is checked") {
  const auto with = [](auto measure) {
    semblance::testing::TestContext context;
    measure.bind(Layout::vector(3));
    measure.set_bases(points.view(), {}, context);
    Formula f;
    check(f, measure.write(f, f.input(3)), points, [&](std::span<const float> row, std::size_t c) {
      double value = 0;
      measure.compare_plainly(points.view().rows_range(c, 1), {row.data(), 1, 3, 3}, &value);
      return value;
    });
  };
  with(Own());
  with(OwnLengths());

  // The program's stack does not grow with the values of all bases.
  const FloatMatrix many(40, 1000);
  semblance::testing::TestContext context;
  Own measure;
  measure.bind(Layout::vector(1000));
  measure.set_bases(many.view(), {}, context);
  Formula f;
  const Formula::Value values = measure.write(f, f.input(1000));
  const CSource source = write_c(machine_with(std::move(f), values, 1000), "m", "said");
  CHECK(source.stack_bytes < 4 * 1000 * sizeof(float));
}

TEST_CASE("each row of a matrix is compared as its name says, however many rows there are") {
  // Panels have 8 rows: fewer rows, as many, and one more.
  for (const std::size_t count : {1, 7, 8, 9, 17}) {
    FloatMatrix matrix(count, 3);
    for (std::size_t k = 0; k < matrix.values.size(); ++k)
      matrix.values[k] = static_cast<float>(k % 11) * 0.25F;
    const auto with = [&](auto make, const auto& summand) {
      for (const bool wide : {false, true}) {
        Formula f;
        const auto in = f.input(3);
        const auto y = f.narrow((f.*make)(wide ? f.widen(in) : in, matrix.view()));
        check(f, y, points, [&](std::span<const float> row, std::size_t c) {
          double sum = 0;
          for (std::size_t k = 0; k < 3; ++k)
            sum += summand(double{matrix.view().row(c)[k]}, double{row[k]});
          return sum;
        });
      }
    };
    using Make = Formula::Value (Formula::*)(Formula::Value, MatrixView);
    with(static_cast<Make>(&Formula::products), [](double m, double x) { return m * x; });
    with(&Formula::squared_distances, [](double m, double x) { return (m - x) * (m - x); });
    with(&Formula::chi_square_sums, [](double m, double x) { return (m - x) * (m - x) / (m + x); });
    with(&Formula::harmonic_sums, [](double m, double x) { return 2 * m * x / (m + x); });
    with(&Formula::intersections, [](double m, double x) { return std::min(m, x); });
  }
}

TEST_CASE("values of a row are summed, chosen and put in another order") {
  Formula f;
  const auto x = f.input(3);
  const std::vector<Formula::Value> parts{f.gather(x, {2, 0, 2}), f.gather(x, {1, 2}), f.sum(x),
                                          f.largest(x),           f.smallest(x),       f.mean(x),
                                          f.number(9, x)};
  check(f, f.concatenate(parts), points, [](std::span<const float> r, std::size_t c) {
    const double sum = double{r[0]} + double{r[1]} + double{r[2]};
    const double all[] = {r[2],
                          r[0],
                          r[2],
                          r[1],
                          r[2],
                          sum,
                          std::max({r[0], r[1], r[2]}),
                          std::min({r[0], r[1], r[2]}),
                          sum / 3,
                          9};
    return all[c];
  });
}

TEST_CASE("buffers that steps share retain values that are still needed") {
  // Each step's value is used again at the end.
  Formula f;
  auto x = f.input(3);
  std::vector<Formula::Value> all;
  for (int i = 1; i < 6; ++i) all.push_back(x = f.add(x, f.number(i, x)));
  auto sum = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) sum = f.add(f.multiply(sum, all[i]), all[i]);
  check(f, sum, points, [](std::span<const float> row, std::size_t c) {
    double value = double{row[c]} + 1, total = value;
    for (int i = 2; i < 6; ++i) {
      value += i;
      total = total * value + value;
    }
    return total;
  });
}

TEST_CASE("NaN is never taken for a number") {
  using F = Formula;
  using V = Formula::Value;
  const auto refused = [](const auto& make) {
    Formula f;
    const auto x = f.input(2);
    const auto none = f.where_greater(x, f.number(0, x), x, f.number(double{missing}, x));
    const auto y = make(f, none);
    const ExportedMachine machine = machine_with(f, y, 2);
    const CProgram program(write_c(machine, "m", "").text, "m", 2, machine.outputs.size());
    const FloatMatrix rows = rows_of({{1, -1}, {-1, 1}, {1, 1}});
    const auto found = program.scores(rows.view()).classes;
    CHECK(found[0] == -1);
    CHECK(found[1] == -1);
    CHECK(found[2] >= 0);
  };
  FloatMatrix ones(2, 2);
  ones.values = {1, 1, 2, 2};
  refused([](F&, V x) { return x; });
  refused([](F& f, V x) { return f.sum(x); });
  refused([](F& f, V x) { return f.largest(x); });
  refused([](F& f, V x) { return f.smallest(x); });
  refused([](F& f, V x) { return f.minimum(x, f.number(0.5, x)); });
  refused([](F& f, V x) { return f.minimum(f.number(0.5, x), x); });
  refused([](F& f, V x) { return f.maximum(x, f.number(0.5, x)); });
  refused([](F& f, V x) { return f.maximum(f.number(0.5, x), x); });
  refused([&](F& f, V x) { return f.intersections(x, ones.view()); });
  refused([&](F& f, V x) { return f.chi_square_sums(x, ones.view()); });
  refused([&](F& f, V x) { return f.harmonic_sums(x, ones.view()); });
}

TEST_CASE("the largest score wins, the first of equal ones") {
  Formula f;
  const auto x = f.input(3);
  const ExportedMachine machine = machine_with(f, x, 3);
  const CProgram program(write_c(machine, "m", "").text, "m", 3, 3);
  const FloatMatrix rows =
      rows_of({{1, 2, 3}, {3, 3, 1}, {-2, -1, -1}, {0, -0.0F, 0}, {missing, 1, 2}});
  CHECK(program.scores(rows.view()).classes == std::vector<std::int32_t>{2, 0, 1, 0, -1});
}

TEST_CASE(
    "a difference is explained by rounding only where turning a decision gives those scores") {
  Formula f;
  const auto x = f.input(2);
  const auto far = f.number(1000, x), near = f.number(0, x);
  const auto scores = f.where_greater(x, f.number(1, x), far, near);
  const std::vector<float> row{1 + 1e-6F, 5};
  const auto explained = [&](std::vector<float> one, std::vector<float> other) {
    return explained_by_rounding(f, scores, row, one, other, 0.1, 1e-5);
  };
  const std::vector<float> exact{1000, 1000}, turned{0, 1000};
  CHECK(explained(exact, turned));  // the first value hardly exceeds 1
  CHECK(explained(turned, exact));
  CHECK_FALSE(explained(exact, {1000, 0}));  // the second does so by a wide margin
  CHECK_FALSE(explained({1000, 0}, exact));
  CHECK_FALSE(explained(exact, {500, 1000}));
  CHECK_FALSE(explained(exact, {missing, 1000}));
}

TEST_CASE("formulas that do not fit together are refused") {
  Formula f;
  const auto x = f.input(3);
  CHECK_THROWS_WITH(f.add(x, f.widen(x)),
                    "a formula does not fit together: float32 together with float64");
  CHECK_THROWS_AS(f.add(x, f.gather(x, {0, 1})), Error);
  CHECK_THROWS_AS(f.gather(x, {3}), Error);
  CHECK_THROWS_AS(f.input(2), Error);
  CHECK_THROWS_AS(f.products(x, FloatMatrix(2, 2).view()), Error);
  CHECK_THROWS_AS(f.products(x, std::vector<double>(3)), Error);
  CHECK_THROWS_AS(f.power(x, 0), Error);
  CHECK_THROWS_AS(f.number(1, {99}), Error);
}

}  // namespace c_writer_test
