// SPDX-License-Identifier: MIT

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "kernels/pair_columns.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::pair_kernels_test {
namespace {

using namespace testing;
using Vector = std::vector<double>;

double inner(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

Vector combined(double s, const Vector& a, double t, const Vector& b) {
  Vector sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = s * a[i] + t * b[i];
  return sum;
}

/// (a, b) as one vector.
Vector joined(const Vector& a, const Vector& b) {
  Vector all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

/// a b' + sign b a', halved: the projections P_TL and P_AT of the tensor product.
Vector tensor_projection(const Vector& a, const Vector& b, double sign) {
  Vector all;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      all.push_back((a[i] * b[j] + sign * b[i] * a[j]) / 2);
  return all;
}

Vector sum_projection(const Vector& a, const Vector& b) {
  const Vector middle = combined(0.5, a, 0.5, b);
  return joined(middle, middle);
}
Vector difference_projection(const Vector& a, const Vector& b) {
  return joined(combined(0.5, a, -0.5, b), combined(-0.5, a, 0.5, b));
}

double sgn(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
Vector ordered(const Vector& a, const Vector& b) {
  const double sign = sgn(a[0] - b[0]);
  return joined(combined(1, a, 1, b), combined(sign, a, -sign, b));
}

using Definition =
    std::function<double(const Vector&, const Vector&, const Vector&, const Vector&)>;
struct Case {
  std::string name;
  std::shared_ptr<PairKernel> kernel;
  Definition definition;
  bool symmetric;
};

template <Vector (*P)(const Vector&, const Vector&)>
double projected_product(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  return inner(P(a, b), P(c, d));
}

std::vector<Case> cases() {
  const Definition sd = projected_product<sum_projection>;
  const Definition ml = [](auto& a, auto& b, auto& c, auto& d) {
    return std::pow(projected_product<difference_projection>(a, b, c, d), 2);
  };
  const Definition tl = [](auto& a, auto& b, auto& c, auto& d) {
    return inner(tensor_projection(a, b, 1), tensor_projection(c, d, 1));
  };
  const Definition at = [](auto& a, auto& b, auto& c, auto& d) {
    return std::pow(inner(tensor_projection(a, b, -1), tensor_projection(c, d, -1)), 2);
  };
  const auto ps = [](double r, int p) -> Definition {
    return [=](auto& a, auto& b, auto& c, auto& d) {
      return std::pow(inner(joined(a, b), joined(c, d)) + r, p);
    };
  };
  std::vector<Case> all;
  all.push_back({"SD", pair_kernel("pair_kernel/symmetric_direct_sum"), sd, true});
  all.push_back({"ML", pair_kernel("pair_kernel/metric_learning"), ml, true});
  all.push_back({"TL", pair_kernel("pair_kernel/tensor_learning"), tl, true});
  all.push_back({"AT", pair_kernel("pair_kernel/asymmetric_tensor"), at, true});
  all.push_back(
      {"DS", pair_kernel("pair_kernel/direct_sum"),
       [=](auto& a, auto& b, auto& c, auto& d) { return sd(a, b, c, d) + ml(a, b, c, d); }, true});
  all.push_back(
      {"TM", pair_kernel("pair_kernel/tensor_metric_learning"),
       [=](auto& a, auto& b, auto& c, auto& d) { return tl(a, b, c, d) + ml(a, b, c, d); }, true});
  all.push_back(
      {"PS", pair_kernel("pair_kernel/polynomial_direct_sum", {{"r", 0.5}, {"p", std::int64_t{3}}}),
       ps(0.5, 3), false});
  all.push_back(
      {"PT", pair_kernel("pair_kernel/polynomial_tensor", {{"r", 0.25}, {"p", std::int64_t{2}}}),
       [](auto& a, auto& b, auto& c, auto& d) {
         return std::pow(inner(a, c) * inner(b, d) + 0.25, 2);
       },
       false});
  all.push_back(
      {"Theorem 2 with P_ML",
       projected(pair_kernel("pair_kernel/polynomial_direct_sum", {{"p", std::int64_t{4}}}),
                 "difference"),
       [](auto& a, auto& b, auto& c, auto& d) {
         return std::pow(projected_product<difference_projection>(a, b, c, d), 4);
       },
       true});
  all.push_back({"Theorem 2 with P_SD",
                 projected(pair_kernel("pair_kernel/polynomial_direct_sum",
                                       {{"r", 1.0}, {"p", std::int64_t{3}}}),
                           "sum"),
                 [](auto& a, auto& b, auto& c, auto& d) {
                   return std::pow(projected_product<sum_projection>(a, b, c, d) + 1, 3);
                 },
                 true});
  all.push_back(
      {"Remark 3",
       pair_kernel("pair_kernel/ordered_representation", {{"r", 0.5}, {"p", std::int64_t{2}}}),
       [](auto& a, auto& b, auto& c, auto& d) {
         return std::pow(inner(ordered(a, b), ordered(c, d)) + 0.5, 2);
       },
       true});
  return all;
}

struct Four {
  Vector a, b, c, d;
  StandardKernelValues values() const {
    return {inner(a, c), inner(a, d), inner(b, c), inner(b, d),
            sgn(a[0] - b[0]) * sgn(c[0] - d[0])};
  }
};

Four draw(Random& random) {
  const auto vector = [&] {
    Vector v(3);
    for (double& x : v) x = random.normal();
    return v;
  };
  return {vector(), vector(), vector(), vector()};
}

TEST_CASE("each pair kernel is the inner product that defines it, on explicit projections") {
  Random random(3);
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Four f = draw(random);
      CHECK(c.kernel->evaluate(f.values()) ==
            doctest::Approx(c.definition(f.a, f.b, f.c, f.d)).epsilon(1e-10));
    }
  }
}

TEST_CASE("symmetric() and eq. (9) hold, and kernels said not to be symmetric are not") {
  Random random(4);
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    CHECK(c.kernel->symmetric() == c.symmetric);
    double largest = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Four f = draw(random);
      const double value = c.kernel->evaluate(f.values());
      const double swapped = c.kernel->evaluate(Four{f.b, f.a, f.c, f.d}.values());
      largest = std::max(largest, std::abs(value - swapped) / (1 + std::abs(value)));
      CHECK(c.kernel->evaluate(Four{f.b, f.a, f.d, f.c}.values()) == doctest::Approx(value));
    }
    CHECK((largest < 1e-10) == c.symmetric);
  }
}

TEST_CASE("even() is property (6)") {
  Random random(5);
  for (const Case& c : cases()) {
    if (c.name == "Remark 3") continue;  // its sign changes as well
    CAPTURE(c.name);
    double largest = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
      StandardKernelValues k = draw(random).values();
      const double value = c.kernel->evaluate(k);
      k = {-k.ac, -k.ad, -k.bc, -k.bd, k.order};
      largest = std::max(largest, std::abs(value - c.kernel->evaluate(k)) / (1 + std::abs(value)));
    }
    CHECK((largest < 1e-10) == c.kernel->even());
  }
}

TEST_CASE("the symmetric part as a sum has the kernel's values") {
  Random random(6);
  const auto sum_of = [](const PairKernelSum::Weights& w, const StandardKernelValues& k) {
    const double straight = k.ac + k.bd, crossed = k.ad + k.bc;
    return w.symmetric_direct_sum * (straight + crossed) / 2 +
           w.metric_learning * std::pow(straight - crossed, 2) / 4 +
           w.tensor_learning * (k.ac * k.bd + k.ad * k.bc) / 2;
  };
  std::vector<std::shared_ptr<PairKernel>> kernels;
  for (const Case& c : cases()) kernels.push_back(c.kernel);
  for (const std::int64_t p : {1, 2}) {
    kernels.push_back(pair_kernel("pair_kernel/polynomial_direct_sum", {{"r", 0.7}, {"p", p}}));
    kernels.push_back(pair_kernel("pair_kernel/polynomial_tensor", {{"r", 0.7}, {"p", p}}));
  }
  std::size_t sums = 0;
  for (const auto& kernel : kernels) {
    const std::optional<PairKernelSum> sum = kernel->symmetric_sum();
    if (!sum) continue;
    ++sums;
    for (int repeat = 0; repeat < 10; ++repeat) {
      const Four f = draw(random);
      const StandardKernelValues k = f.values();
      const StandardKernelValues squares{k.ac * k.ac, k.ad * k.ad, k.bc * k.bc, k.bd * k.bd, 0};
      const double mean =
          (kernel->evaluate(k) + kernel->evaluate(Four{f.b, f.a, f.c, f.d}.values())) / 2;
      CHECK(sum_of(sum->plain, k) + sum_of(sum->squared, squares) + sum->constant ==
            doctest::Approx(mean).epsilon(1e-10));
    }
  }
  CHECK(sums == 10);
}

TEST_CASE("rows in vectors have the values of single evaluations, wherever they begin") {
  const Examples data = clouds(13, 4, 3);
  std::vector<std::int32_t> first, second;
  std::vector<float> signs;
  for (std::int32_t i = 0; i < 13; ++i)
    for (std::int32_t j = i; j < 13; j += 1 + (i % 3 == 2)) {
      first.push_back(i % 2 ? i : j);
      second.push_back(i % 2 ? j : i);
    }
  for (std::size_t p = 0; p < first.size(); ++p)
    signs.push_back(float(sgn(data.values.values[std::size_t(first[p]) * 4] -
                              data.values.values[std::size_t(second[p]) * 4])));
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const FloatMatrix k = standard_values(*c.kernel, data.values);
    const PairColumns columns(first, second, signs);
    for (const std::size_t from : {std::size_t{0}, std::size_t{5}}) {
      std::vector<float> row(columns.size() - from);
      columns.evaluate(*c.kernel, k.view().row(7), k.view().row(2), signs[3], from, row.size(),
                       row.data());
      for (std::size_t j = 0; j < row.size(); ++j) {
        const auto x = std::size_t(first[from + j]), y = std::size_t(second[from + j]);
        const double expected =
            c.kernel->evaluate({k.view().row(7)[x], k.view().row(7)[y], k.view().row(2)[x],
                                k.view().row(2)[y], double(signs[3]) * signs[from + j]});
        CHECK(row[j] == doctest::Approx(expected).epsilon(1e-4).scale(1));
      }
    }
  }
}

TEST_CASE("long rows of all pairs in both orders have the values of single evaluations") {
  const Examples data = clouds(140, 4, 7);
  std::vector<std::int32_t> first, second;
  for (std::int32_t i = 0; i < 140; ++i)
    for (std::int32_t j = i; j < 140; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  for (std::size_t p = 0, count = first.size(); p < count; ++p) {
    first.push_back(second[p]);
    second.push_back(first[p]);
  }
  for (const Case& c : cases()) {
    if (c.kernel->ordered()) continue;
    CAPTURE(c.name);
    const FloatMatrix k = standard_values(*c.kernel, data.values);
    const PairColumns columns(first, second);
    for (const std::size_t from : {0, 37, 9000, 12345}) {
      std::vector<float> row(std::min<std::size_t>(5000, columns.size() - from));
      columns.evaluate(*c.kernel, k.view().row(7), k.view().row(99), 0, from, row.size(),
                       row.data());
      double worst = 0, largest = 0;
      for (std::size_t j = 0; j < row.size(); ++j) {
        const auto x = std::size_t(first[from + j]), y = std::size_t(second[from + j]);
        const double expected = c.kernel->evaluate(
            {k.view().row(7)[x], k.view().row(7)[y], k.view().row(99)[x], k.view().row(99)[y], 0});
        worst = std::max(worst, std::abs(row[j] - expected));
        largest = std::max(largest, std::abs(expected));
      }
      CHECK(worst <= 1e-5 * largest);
    }
  }
}

TEST_CASE("Theorem 2 refuses kernels without property (6)") {
  CHECK_THROWS_AS(projected(pair_kernel("pair_kernel/polynomial_direct_sum",
                                        {{"r", 1.0}, {"p", std::int64_t{2}}}),
                            "difference"),
                  Error);
  CHECK_THROWS_AS(projected(pair_kernel("pair_kernel/ordered_representation"), "sum"), Error);
}

}  // namespace
}  // namespace semblance::pairs::pair_kernels_test
