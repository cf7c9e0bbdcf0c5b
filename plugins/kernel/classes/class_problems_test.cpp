// SPDX-License-Identifier: MIT
// The problems of several classes are solved by several threads.
#include <doctest/doctest.h>

#include "kernel_svm_testing.hpp"
#include "semblance/row_similarity.hpp"
#include "solver_testing.hpp"

namespace semblance::kernel::class_problems_test {
namespace {

using namespace testing;

/// Fails at rows whose first value is large.
class Exploding final : public RowSimilarity<Exploding> {
 public:
  static Declaration<Exploding> declare() {
    return Declaration<Exploding>("similarity/exploding", "For this test").symmetric();
  }
  float compare(std::span<const float> b, std::span<const float> x) const {
    if (x[0] > 900) throw Error("row " + std::to_string(static_cast<int>(x[0])) + " explodes");
    return b[0] * x[0] / 1e6F + b[1] * x[1];
  }
  bool positive_semidefinite() const noexcept override { return true; }
};

}  // namespace

TEST_CASE("the first problem that fails is reported, whichever thread has it") {
  Data data = clouds(600, 6, 5);
  // Classes 2 and 4.
  for (std::size_t i = 0; i < 600; ++i)
    data.values.values[6 * i] = i % 5 == 2 || i % 5 == 4 ? 1000.0F + static_cast<float>(i) : 1.0F;
  for (const std::size_t threads : {1U, 4U})
    for (int attempt = 0; attempt < 5; ++attempt) {
      TestContext context(threads);
      const auto svm = kernel_svm(own_kernel<Exploding>(), {}, {});
      std::string message;
      try {
        train(*svm, data, context);
      } catch (const Error& error) {
        message = error.what();
      }
      CHECK(message.find("row 1002 explodes") != std::string::npos);
    }
}

TEST_CASE("a stop ends all problems, with a machine and its certificate") {
  const Data data = clouds(1500, 5, 7);
  for (const int after : {0, 40, 400}) {
    StopsLater context(after);
    const auto svm =
        kernel_svm("similarity/rbf", {{"C", 1e5}, {"tolerance", 1e-9}}, {{"gamma", 3.0}});
    CHECK(train(*svm, data, context).texts.at("certificate") == "cancelled");
    for (const float score : scores(*svm, data.values, 7).values) CHECK(std::isfinite(score));
  }
}

}  // namespace semblance::kernel::class_problems_test
