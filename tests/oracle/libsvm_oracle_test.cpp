// SPDX-License-Identifier: MIT
// solver/libsvm on a known problem: USPS, Gaussian kernel with gamma 1/128, C = 10.
#include <doctest/doctest.h>

#include <algorithm>

#include "oracle_data.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/solver.hpp"

namespace libsvm_oracle_test {

using namespace semblance;

TEST_CASE("USPS with a Gaussian kernel: objective, support vectors and test errors") {
  const auto train = oracle::usps("zip.train.gz");
  if (!train) return;
  const auto test = oracle::usps("zip.test.gz");
  auto svm = testing::make_component<Solver>("solver/libsvm", {{"C", 10.0}, {"gamma", 1.0 / 128}});
  testing::TestContext context;
  testing::MemoryReport report;
  const testing::MemoryRows rows(train->values);
  const Layout layout = Layout::vector(256);
  svm->bind(layout);
  svm->train({rows, layout, train->labels, train->classes}, report, context);
  CHECK(report.texts.at("certificate") == "converged");
  CHECK(report.numbers.at("objective") == doctest::Approx(-2442.2567).epsilon(1e-4));
  CHECK(report.integers.at("support_vectors") == doctest::Approx(2338).epsilon(0.005));

  FloatMatrix scores(test->values.rows, 10);
  svm->apply(test->values.view(), scores.view(), context);
  int errors = 0;
  for (std::size_t i = 0; i < test->labels.size(); ++i) {
    const float* row = scores.values.data() + i * 10;
    errors += std::max_element(row, row + 10) - row != test->labels[i];
  }
  CHECK(errors >= 92);
  CHECK(errors <= 98);
}

}  // namespace libsvm_oracle_test
