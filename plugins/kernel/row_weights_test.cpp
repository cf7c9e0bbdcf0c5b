// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "kernel_svm_testing.hpp"
#include "row_weights_testing.hpp"

namespace row_weights_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

const std::vector<Parameters> kernel_machines = {
    {{"tolerance", 1e-6}}, {{"tolerance", 1e-6}, {"multiclass", std::string("one_versus_rest")}}};

WeightedOutcome learn_kernel(const Parameters& parameters, const Data& data,
                             const FloatMatrix& asked, const Parameters& more = {}) {
  const auto svm = kernel_svm("similarity/rbf", and_also(parameters, more), {{"gamma", 0.1}});
  TestContext context;
  const MemoryReport report = train(*svm, data, context);
  CHECK(report.texts.at("certificate") == "converged");
  return {report.numbers.at("objective"), saved_bits(*svm),
          scores(*svm, asked, data.classes.size())};
}

}  // namespace

TEST_CASE("kernel machines: weights of rows are repetitions, and factors of C") {
  const Data data = clouds(200, 8, 3);
  for (const Parameters& parameters : kernel_machines)
    check_weights_of(data, 1e-5, 1e-3, [&](const Data& given, const Parameters& more) {
      return learn_kernel(parameters, given, data.values, more);
    });
}

TEST_CASE("a row of weight 0 may be anything") {
  Data data = clouds(240, 12, 2);
  data.weights = integer_weights(240);
  Data other = data;
  for (std::size_t i = 0; i < 240; ++i)
    if (data.weights[i] == 0)
      for (std::size_t j = 0; j < 12; ++j) other.values.view().row(i)[j] = 1e3F;
  check_alike(learn_kernel(kernel_machines[0], data, data.values),
              learn_kernel(kernel_machines[0], other, data.values), 1e-5, 1e-3);
}

TEST_CASE("where classes are balanced and C is small, rounding makes no variable free") {
  TestContext context;
  for (std::size_t unlike = 3; unlike < 20; ++unlike) {
    Data data = clouds(60 + unlike, 4, 2);
    for (std::size_t i = 0; i < data.labels.size(); ++i) data.labels[i] = i % unlike == 0 ? 1 : 0;
    const auto svm =
        kernel_svm("similarity/rbf", {{"C", 0.01}, {"balanced", true}}, {{"gamma", 0.1}});
    const MemoryReport report = train(*svm, data, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.numbers.at("check_violation") < 0.1);
  }
}

}  // namespace row_weights_test
