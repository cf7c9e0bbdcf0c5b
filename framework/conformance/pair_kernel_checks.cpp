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
  StandardKernelValues k;
  k.ac = product(a, c), k.ad = product(a, d), k.bc = product(b, c), k.bd = product(b, d);
  return k;
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

Outcome kernel_trial(const Subject& subject, const ComponentConfig& config, const Setting&) {
  const auto kernel = subject.create_as<PairKernel>(config);
  Random random(31);
  Outcome outcome;
  for (int k = 0; k < 200; ++k) {
    const Point a = point(random), b = point(random), c = point(random), d = point(random);
    const double value = kernel->evaluate(values_of(a, b, c, d));
    require(std::isfinite(value), "its value is not finite");
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
  checks.push_back({"finite, and symmetric as far as it must be",
                    [&subject] { kernel_trial(subject, subject.config(), {}); }});
  add_repetition_checks(checks, subject, kernel_trial);
}

}  // namespace semblance::conformance
