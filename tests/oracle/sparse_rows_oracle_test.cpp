// SPDX-License-Identifier: MIT
// Solvers on sparse rows against the libraries of the field on the same rows.
#include <doctest/doctest.h>

#include "semblance/solver.hpp"
#include "sparse_clouds_testing.hpp"

namespace sparse_rows_oracle_test {

using namespace semblance;
using namespace semblance::common::testing;

TEST_CASE("solver/linear_svm and solver/liblinear have one objective on sparse rows") {
  TestContext context;
  for (const std::size_t classes : {2U, 4U})
    for (const double bias : {0.0, 1.0}) {
      const Data data = sparse_clouds(300, 40, classes);
      const auto library =
          train("solver/liblinear", data, context, {{"eps", 1e-8}, {"bias", bias}});
      const auto own = train("solver/linear_svm", data, context,
                             {{"tolerance", 1e-8}, {"bias", bias}, {"center", false}});
      CHECK(library.report.numbers.at("objective") ==
            doctest::Approx(own.report.numbers.at("objective")).epsilon(1e-6));
    }
}

namespace {

void check_kernel(const char* kernel, const std::string& name, const Parameters& of_kernel) {
  TestContext context;
  for (const std::size_t classes : {2U, 3U}) {
    CAPTURE(name);
    const Data data = sparse_clouds(250, 40, classes);
    const auto library =
        train("solver/libsvm", data, context,
              {{"kernel", name}, {"gamma", 0.1}, {"coef0", 1.0}, {"eps", 1e-6}, {"C", 2.0}});
    const auto own = train("solver/kernel_svm", data, context, {{"C", 2.0}, {"tolerance", 1e-6}},
                           {{"kernel", part(kernel, of_kernel)}});
    CHECK(own.report.numbers.at("objective") ==
          doctest::Approx(library.report.numbers.at("objective")).epsilon(1e-5));
    const FloatMatrix found = scores(*own.solver, data);
    const FloatMatrix expected = scores(*library.solver, data);
    std::size_t agreeing = 0;
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      const float *f = found.view().row(i), *e = expected.view().row(i);
      agreeing += std::max_element(f, f + classes) - f == std::max_element(e, e + classes) - e;
      if (classes == 2) CHECK(f[0] == doctest::Approx(e[0]).epsilon(1e-3));
    }
    // One versus one, with different rules for ties between three classes.
    CHECK(agreeing >= data.labels.size() - (classes == 2 ? 0 : 5));
  }
}

}  // namespace

TEST_CASE("solver/kernel_svm and solver/libsvm have one machine on sparse rows") {
  check_kernel("similarity/linear", "linear", {});
  check_kernel("similarity/rbf", "rbf", {{"gamma", 0.1}});
  check_kernel("similarity/polynomial", "polynomial",
               {{"degree", std::int64_t{3}}, {"scale", 0.1}, {"offset", 1.0}});
}

}  // namespace sparse_rows_oracle_test
