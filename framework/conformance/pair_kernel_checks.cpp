// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include "conformance/checks.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::conformance {
namespace {

using Point = std::array<double, 5>;

double product(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

StandardKernelValues values_of(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  return {product(a, c), product(a, d), product(b, c), product(b, d),
          sign(a[0] - b[0]) * sign(c[0] - d[0])};
}

Point point(Random& random) {
  Point p;
  for (double& x : p) x = random.normal();
  return p;
}

void same(double one, double other, const std::string& what) {
  require(std::abs(one - other) <= 1e-9 * (1 + std::abs(one)),
          what + ": " + to_text(Value(one)) + " and " + to_text(Value(other)));
}

/// evaluate_columns() for one column, which computes in single precision.
double column_value(const PairKernel& kernel, const StandardKernelValues& k) {
  const auto ac = static_cast<float>(k.ac), ad = static_cast<float>(k.ad),
             bc = static_cast<float>(k.bc), bd = static_cast<float>(k.bd),
             order = static_cast<float>(k.order);
  float out = 0;
  kernel.evaluate_columns({&ac, &ad, &bc, &bd, &order, 1}, &out);
  return out;
}

Outcome kernel_trial(const Subject& subject, const ComponentConfig& config, const Setting&) {
  const auto kernel = subject.create_as<PairKernel>(config);
  Random random(31);
  Outcome outcome;
  for (int k = 0; k < 200; ++k) {
    const Point a = point(random), b = point(random), c = point(random), d = point(random);
    const double value = kernel->evaluate(values_of(a, b, c, d));
    require(std::isfinite(value), "its value is not finite");
    require(std::abs(value - column_value(*kernel, values_of(a, b, c, d))) <=
                1e-3 * (1 + std::abs(value)),
            "evaluate_columns() and evaluate() give different values");
    same(value, kernel->evaluate(values_of(b, a, d, c)),
         "K((a, b), (c, d)) is not K((b, a), (d, c)), eq. (9)");
    same(value, kernel->evaluate(values_of(c, d, a, b)),
         "K((a, b), (c, d)) is not K((c, d), (a, b))");
    if (kernel->symmetric())
      same(value, kernel->evaluate(values_of(b, a, c, d)),
           "it claims to be symmetric, but K((a, b), (c, d)) is not K((b, a), (c, d))");
    outcome.text += to_text(Value(value)) + "\n";
  }
  return outcome;
}

}  // namespace

void add_pair_kernel_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"finite, and symmetric as required",
                    [&subject] { kernel_trial(subject, subject.config(), {}); }});
  add_repetition_checks(checks, subject, kernel_trial);
}

}  // namespace semblance::conformance
