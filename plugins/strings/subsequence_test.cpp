// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <map>

#include "string_testing.hpp"

namespace semblance::strings::subsequence_test {
namespace {

using namespace testing;

Parameters parameters(std::int64_t length, double decay, bool normalize) {
  return {{"length", length}, {"decay", decay}, {"normalize", normalize}};
}

/// The value of each subsequence of `length` symbols of x, by trying all subsets of its places.
std::map<std::string, double> vector_of(const std::string& x, int length, double decay) {
  std::map<std::string, double> values;
  for (unsigned places = 1; places < (1u << x.size()); ++places) {
    if (std::popcount(places) != length) continue;
    std::string text;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (places >> k & 1u) text += x[k];
    values[text] += std::pow(decay, std::bit_width(places) - std::countr_zero(places));
  }
  return values;
}

double brute_force(const std::string& b, const std::string& x, int length, double decay) {
  const auto of_b = vector_of(b, length, decay), of_x = vector_of(x, length, decay);
  double sum = 0;
  for (const auto& [text, value] : of_b)
    if (const auto found = of_x.find(text); found != of_x.end()) sum += value * found->second;
  return sum;
}

TEST_CASE("the example of Lodhi et al.") {
  for (const double decay : {0.3, 0.7}) {
    const auto k = [&](const char* b, const char* x, bool normalize) {
      return measured("similarity/subsequence", parameters(2, decay, normalize), "abcrt", b, x);
    };
    CHECK(k("cat", "car", false) == doctest::Approx(std::pow(decay, 4)));
    CHECK(k("cat", "cat", false) == doctest::Approx(2 * std::pow(decay, 4) + std::pow(decay, 6)));
    CHECK(k("cat", "car", true) == doctest::Approx(1 / (2 + decay * decay)));
  }
}

TEST_CASE("subsequence kernels agree with all subsequences listed") {
  const auto bases = random_strings(40, 9, "abc", 1), samples = random_strings(15, 9, "abc", 2);
  for (const int length : {1, 2, 3, 4, 5, 6, 7, 9})
    for (const double decay : {0.2, 0.8, 1.0})
      check_pairs("similarity/subsequence", parameters(length, decay, false),
                  Layout::string(9, "abc"), bases, samples, 1e-6,
                  [&](const auto& b, const auto& x) { return brute_force(b, x, length, decay); });
}

TEST_CASE("a small decay does not vanish, many subsequences do not overflow") {
  CHECK(measured("similarity/subsequence", parameters(20, 1e-40, true), "ab", std::string(30, 'a'),
                 std::string(30, 'a')) == 1);
  std::string b, x;
  Random random(3);
  for (int k = 0; k < 3000; ++k) b += "ab"[random.below(2)], x += "ab"[random.below(2)];
  const Layout layout = Layout::string(3000, "ab");
  const float alike =
      measured("similarity/subsequence", parameters(20, 1, true), layout, {b}, {x}).values[0];
  CHECK(alike > 0.5);
  CHECK(alike <= 1);
  CHECK_THROWS_WITH_AS(
      measured("similarity/subsequence", parameters(20, 1, false), layout, {b}, {x}),
      doctest::Contains("is too large for float32; normalize it"), Error);
}

TEST_CASE("strings shorter than a subsequence are like none") {
  CHECK(measured("similarity/subsequence", parameters(3, 0.5, true), "ab", "ab", "ab") == 0);
  CHECK(measured("similarity/subsequence", parameters(3, 0.5, true), "ab", "ab", "abab") == 0);
}

TEST_CASE("subsequence keeps the contract of similarities") {
  check_contract("similarity/subsequence", {}, Layout::string(60, "abcd"));
  check_contract("similarity/subsequence", parameters(8, 0.9, true), Layout::string(40, "abcd"));
  check_contract("similarity/subsequence", parameters(1, 0.9, false), Layout::string(40, "abcd"));
}

}  // namespace
}  // namespace semblance::strings::subsequence_test
