// SPDX-License-Identifier: MIT
// Weights of rows in the machines that descend, and in localized multiple kernel learning.
#include <doctest/doctest.h>

#include "ml3_component_testing.hpp"

namespace row_weights_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

Data weighted_clouds() {
  Data data = clouds(150, 6, 3);
  for (std::size_t i = 0; i < 150; ++i) data.weights.push_back(double(i * 7 % 11 % 4));
  return data;
}

double objective_of(std::string_view id, const Data& data, const Parameters& parameters) {
  TestContext context;
  return train(id, data, context, parameters).report.numbers.at("objective");
}

Parameters small(std::string_view id) {
  if (id == "solver/lcc") return {{"anchors", std::int64_t{8}}};
  if (id == "solver/localized_mkl")
    return {{"kernels", std::int64_t{2}}, {"iterations", std::int64_t{3}}};
  if (id == "solver/linear_svm_sgd") return {};
  return {{"models", std::int64_t{3}}};
}

}  // namespace

TEST_CASE("weights of 1 are none, to the last bit, and others are some") {
  for (const char* id : {"solver/linear_svm_sgd", "solver/llsvm", "solver/occ", "solver/lcc",
                         "solver/ml3", "solver/localized_mkl"}) {
    CAPTURE(id);
    TestContext context;
    Data data = clouds(150, 6, 3);
    const Parameters parameters = small(id);
    const auto bits = [&](const Parameters& more = {}) {
      Parameters all = parameters;
      all.insert(all.end(), more.begin(), more.end());
      return saved_bits(*train(id, data, context, all).solver);
    };
    const std::string none = bits();
    data.weights.assign(150, 1);
    CHECK(bits() == none);
    CHECK(bits({{"class_weights", NamedValues{{"class 1", 5.0}}}}) != none);
    data.weights.clear();
    const std::string of_class = bits({{"class_weights", NamedValues{{"class 1", 5.0}}}});
    CHECK(of_class != none);
    for (std::size_t i = 0; i < 150; ++i) data.weights.push_back(data.labels[i] == 1 ? 5 : 1);
    CHECK(bits() == of_class);
    data.weights[4] = -1;
    CHECK_THROWS_WITH(
        bits(),
        "the weight of training row 4 (counted from 0) is -1; weights must be finite, "
        "and 0 or more");
  }
}

TEST_CASE("a long descent with weights ends where one on repeated rows does") {
  const Data data = weighted_clouds();
  const Parameters patient = {{"lambda", 1e-2}, {"epochs", std::int64_t{1500}}};
  const double weighted = objective_of("solver/linear_svm_sgd", data, patient);
  CHECK(weighted ==
        doctest::Approx(objective_of("solver/linear_svm_sgd", repeated_by_weight(data), patient))
            .epsilon(5e-3));
  Data none = data;
  none.weights.clear();
  CHECK(std::abs(weighted - objective_of("solver/linear_svm_sgd", none, patient)) >
        2e-2 * weighted);
}

TEST_CASE("localized MKL: repeated rows, and twice the C") {
  Data data = weighted_clouds();
  const Parameters fixed = {
      {"kernels", std::int64_t{2}}, {"iterations", std::int64_t{0}}, {"tolerance", 1e-6}};
  CHECK(objective_of("solver/localized_mkl", data, fixed) ==
        doctest::Approx(objective_of("solver/localized_mkl", repeated_by_weight(data), fixed))
            .epsilon(1e-5));
  data.weights.assign(150, 2);
  Parameters twice = fixed;
  twice.emplace_back("C", 2.0);
  const double weighted = objective_of("solver/localized_mkl", data, fixed);
  data.weights.clear();
  CHECK(weighted ==
        doctest::Approx(objective_of("solver/localized_mkl", data, twice)).epsilon(1e-6));
}

}  // namespace row_weights_test
