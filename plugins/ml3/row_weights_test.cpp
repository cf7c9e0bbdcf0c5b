// SPDX-License-Identifier: MIT
// Weights of rows in the machines that descend, and in localized multiple kernel learning.
#include <doctest/doctest.h>

#include "lcc.hpp"
#include "linear_svm_sgd.hpp"
#include "llsvm.hpp"
#include "localized_mkl.hpp"
#include "ml3.hpp"
#include "ml3_component_testing.hpp"
#include "occ.hpp"

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

Data weighted_clouds() {
  Data data = clouds(150, 6, 3);
  for (std::size_t i = 0; i < 150; ++i) data.weights.push_back(double(i * 7 % 11 % 4));
  return data;
}

template <class T>
double objective_of(const Data& data, const Parameters& parameters) {
  TestContext context;
  return train<T>(data, context, parameters).report.numbers.at("objective");
}

template <class T>
Parameters small() {
  if constexpr (std::is_same_v<T, Lcc>) return {{"anchors", std::int64_t{8}}};
  if constexpr (std::is_same_v<T, LocalizedMkl>)
    return {{"kernels", std::int64_t{2}}, {"iterations", std::int64_t{3}}};
  if constexpr (std::is_same_v<T, LinearSvmSgd>) return {};
  if constexpr (std::is_same_v<T, Occ> || std::is_same_v<T, LlSvm> || std::is_same_v<T, Ml3>)
    return {{"models", std::int64_t{3}}};
}

}  // namespace

TEST_CASE_TEMPLATE("weights of 1 are none, to the last bit, and others are some", T, LinearSvmSgd,
                   LlSvm, Occ, Lcc, Ml3, LocalizedMkl) {
  TestContext context;
  Data data = clouds(150, 6, 3);
  const Parameters parameters = small<T>();
  const auto bits = [&](const Parameters& more = {}) {
    Parameters all = parameters;
    all.insert(all.end(), more.begin(), more.end());
    return saved_bits(train<T>(data, context, all).solver);
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
  CHECK_THROWS_WITH(bits(),
                    "the weight of training row 4 (counted from 0) is -1; weights must be finite, "
                    "and 0 or more");
}

TEST_CASE("a long descent with weights ends where one on repeated rows does") {
  const Data data = weighted_clouds();
  const Parameters patient = {{"lambda", 1e-2}, {"epochs", std::int64_t{1500}}};
  const double weighted = objective_of<LinearSvmSgd>(data, patient);
  CHECK(
      weighted ==
      doctest::Approx(objective_of<LinearSvmSgd>(repeated_by_weight(data), patient)).epsilon(5e-3));
  Data none = data;
  none.weights.clear();
  CHECK(std::abs(weighted - objective_of<LinearSvmSgd>(none, patient)) > 2e-2 * weighted);
}

TEST_CASE("localized MKL: repeated rows, and twice the C") {
  Data data = weighted_clouds();
  const Parameters fixed = {
      {"kernels", std::int64_t{2}}, {"iterations", std::int64_t{0}}, {"tolerance", 1e-6}};
  CHECK(objective_of<LocalizedMkl>(data, fixed) ==
        doctest::Approx(objective_of<LocalizedMkl>(repeated_by_weight(data), fixed)).epsilon(1e-5));
  data.weights.assign(150, 2);
  Parameters twice = fixed;
  twice.emplace_back("C", 2.0);
  const double weighted = objective_of<LocalizedMkl>(data, fixed);
  data.weights.clear();
  CHECK(weighted == doctest::Approx(objective_of<LocalizedMkl>(data, twice)).epsilon(1e-6));
}
