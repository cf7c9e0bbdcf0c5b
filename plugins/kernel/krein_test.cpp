// SPDX-License-Identifier: MIT
// Compares the machine in a Krein space with its definition, with dense matrices in double.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel_svm_testing.hpp"
#include "krein_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"

namespace semblance::kernel::krein_test {
namespace {

using namespace testing;

constexpr double krein_cost = 0.3;

/// 1/2 (|f+|^2 + m |f-|^2) + C sum max(0, 1 - y (f + bias)) of the function with these values on
/// the training samples: its component along u_v, p_v = u_v' f, adds p_v^2 / |d_v| to a norm.
double krein_objective(const KreinData& data, const Decomposition& k, double weight,
                       std::span<const double> f, double bias) {
  double norm = 0, loss = 0;
  for (std::size_t v = 0; v < krein_rows; ++v) {
    double part = 0;
    for (std::size_t i = 0; i < krein_rows; ++i) part += k.vectors[i * krein_rows + v] * f[i];
    norm += (k.values[v] < 0 ? weight : 1) * part * part / std::abs(k.values[v]);
  }
  for (std::size_t i = 0; i < krein_rows; ++i)
    loss += std::max(0.0, 1 - (data.labels[i] == 0 ? 1 : -1) * (f[i] + bias));
  return norm / 2 + krein_cost * loss;
}

/// The function's value for a sample with these similarities: k' K^-1 f.
double value_at(std::span<const double> similarities, const Decomposition& k,
                std::span<const double> f) {
  double value = 0;
  for (std::size_t v = 0; v < krein_rows; ++v) {
    double of_f = 0, of_sample = 0;
    for (std::size_t i = 0; i < krein_rows; ++i) {
      of_f += k.vectors[i * krein_rows + v] * f[i];
      of_sample += k.vectors[i * krein_rows + v] * similarities[i];
    }
    value += of_f * of_sample / k.values[v];
  }
  return value;
}

Parameters krein(double weight, const char* repair = "krein") {
  Parameters parameters = {{"repair", std::string(repair)}, {"C", krein_cost}, {"tolerance", 1e-6}};
  if (weight != 1) parameters.emplace_back("negative_weight", weight);
  return parameters;
}

}  // namespace

TEST_CASE("the Krein machine minimizes the weighted norms of both parts and the losses") {
  const KreinData data = krein_data();
  const Decomposition k = decomposition(data.values);
  CHECK(std::ranges::count_if(k.values, [](double v) { return v < 0; }) > 8);
  TestContext context;
  for (const double weight : {0.2, 1.0, 5.0}) {
    CAPTURE(weight);
    const auto svm = kernel_svm("similarity/precomputed", krein(weight), {});
    const MemoryReport report = train(*svm, data, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.texts.at("repair") == "krein");
    const Table& problems = report.tables.at("problems");
    const double bias = problems.values.at(4);
    REQUIRE(problems.columns.at(4) == "bias");
    const FloatMatrix out = scores(*svm, data.values, 2);
    std::vector<double> f(krein_rows);
    for (std::size_t i = 0; i < krein_rows; ++i) f[i] = out.values[2 * i] - bias;
    const double least = krein_objective(data, k, weight, f, bias);
    CHECK(least == doctest::Approx(-report.numbers.at("objective")).epsilon(1e-4));
    // No nearby function and no other bias is better.
    Random random(1);
    for (int trial = 0; trial < 400; ++trial) {
      std::vector<double> other = f;
      const double size = std::pow(10.0, random.uniform(-4, 0));
      for (double& value : other) value += size * random.normal();
      CHECK(krein_objective(data, k, weight, other, bias + size * random.normal()) > least - 1e-4);
    }
  }
}

TEST_CASE("the Krein machine scores new samples by the same function") {
  const KreinData data = krein_data();
  const Decomposition k = decomposition(data.values);
  TestContext context;
  Random random(9);
  FloatMatrix samples(7, krein_rows);
  for (float& value : samples.values) value = static_cast<float>(random.normal());
  for (const char* repair : {"krein", "flip"}) {
    const auto svm =
        kernel_svm("similarity/precomputed", krein(repair[0] == 'k' ? 3 : 1, repair), {});
    const MemoryReport report = train(*svm, data, context);
    const double bias = report.tables.at("problems").values.at(4);
    const FloatMatrix known = scores(*svm, data.values, 2), out = scores(*svm, samples, 2);
    std::vector<double> f(krein_rows);
    for (std::size_t i = 0; i < krein_rows; ++i) f[i] = known.values[2 * i] - bias;
    for (std::size_t i = 0; i < samples.rows; ++i) {
      const auto row = std::as_const(samples).view().row_span(i);
      const std::vector<double> similarities(row.begin(), row.end());
      CHECK(out.values[2 * i] ==
            doctest::Approx(value_at(similarities, k, f) + bias).epsilon(1e-3));
    }
  }
}

TEST_CASE("flip is the Krein machine of equal weights, clip its limit") {
  const KreinData data = krein_data();
  TestContext context;
  const auto trained = [&](const Parameters& parameters) {
    auto svm = kernel_svm("similarity/precomputed", parameters, {});
    train(*svm, data, context);
    return svm;
  };
  CHECK(saved_bits(*trained(krein(1))) == saved_bits(*trained(krein(1, "flip"))));
  const FloatMatrix limit = scores(*trained(krein(1, "clip")), data.values, 2);
  const FloatMatrix heavy = scores(*trained(krein(1e7)), data.values, 2);
  const FloatMatrix light = scores(*trained(krein(3)), data.values, 2);
  double difference = 0, other = 0;
  for (std::size_t i = 0; i < limit.values.size(); ++i) {
    difference = std::max<double>(difference, std::abs(limit.values[i] - heavy.values[i]));
    other = std::max<double>(other, std::abs(limit.values[i] - light.values[i]));
  }
  CHECK(difference < 1e-4);
  CHECK(other > 1e-2);
}

TEST_CASE("a weight of the negative part is refused where there is none") {
  CHECK_THROWS_WITH_AS(
      kernel_svm("similarity/precomputed", krein(2, "flip"), {}),
      "negative_weight is used by repair: krein only; set that, or remove negative_weight", Error);
}

}  // namespace semblance::kernel::krein_test
