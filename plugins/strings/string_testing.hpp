// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/feature.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity_testing.hpp"

/// Helpers for tests of string measures and features.
namespace semblance::testing {

/// Strings of letters, each of which is a symbol; those that the alphabet lacks are new symbols.
inline FloatMatrix rows_of(const std::vector<std::string>& strings, const Layout& layout) {
  std::vector<std::size_t> sizes;
  for (const std::string& text : strings) sizes.push_back(text.size());
  FloatMatrix rows = FloatMatrix::ragged(layout.size(), sizes);
  for (std::size_t i = 0; i < strings.size(); ++i)
    for (std::size_t k = 0; k < strings[i].size(); ++k) {
      const char letter = strings[i][k];
      const std::size_t place = layout.alphabet.find(letter);
      rows.view().row(i)[k] = place == std::string::npos
                                  ? new_symbol_value(static_cast<char32_t>(letter))
                                  : static_cast<float>(place);
    }
  return rows;
}

/// Strings of 1 to `longest` symbols; some are copies of the previous one, with one symbol in eight
/// changed, removed or doubled.
inline std::vector<std::string> random_strings(std::size_t count, std::size_t longest,
                                               const std::string& alphabet, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> strings;
  const auto symbol = [&] { return alphabet[random.below(alphabet.size())]; };
  while (strings.size() < count) {
    std::string text;
    if (strings.empty() || random.below(3) == 0) {
      const std::size_t length = 1 + random.below(longest);
      while (text.size() < length) text += symbol();
    } else {
      for (const char kept : strings.back()) {
        const std::uint64_t change = random.below(24);
        if (change != 0) text += change == 1 ? symbol() : kept;
        if (change == 2) text += kept;
      }
      text.resize(std::min(text.size(), longest));
      if (text.empty()) text += symbol();
    }
    strings.push_back(text);
  }
  return strings;
}

/// The measure of all bases and samples.
inline FloatMatrix measured(std::string_view id, const Parameters& values, const Layout& layout,
                            const std::vector<std::string>& bases,
                            const std::vector<std::string>& samples) {
  return measured(id, values, layout, rows_of(bases, layout).view(),
                  rows_of(samples, layout).view());
}

/// The similarity of one basis and one sample.
inline float measured(std::string_view id, const Parameters& values, const std::string& alphabet,
                      const std::string& basis, const std::string& sample) {
  return measured(id, values, Layout::string(100, alphabet), {basis}, {sample}).values[0];
}

/// Checks every pair against `oracle(basis, sample)`.
template <class Oracle>
void check_pairs(std::string_view id, const Parameters& values, const Layout& layout,
                 const std::vector<std::string>& bases, const std::vector<std::string>& samples,
                 double tolerance, const Oracle& oracle) {
  check_values(measured(id, values, layout, bases, samples), tolerance,
               [&](std::size_t j, std::size_t i) { return oracle(bases[j], samples[i]); });
}

/// Checks that bits do not depend on the block, the range of bases, their order or threads; that a
/// saved measure reproduces them; that s(x, x) is the result of apply(); and that stops and wrong
/// shapes are noticed.
inline void check_contract(std::string_view id, const Parameters& values, const Layout& layout) {
  const auto strings = random_strings(70, layout.width, layout.alphabet, 5);
  const FloatMatrix bases = rows_of(strings, layout);
  const FloatMatrix samples = rows_of(random_strings(50, layout.width, layout.alphabet, 6), layout);
  const auto measure = check_same_bits(id, values, layout, bases.view(), samples.view());
  const FloatMatrix among = compared(*measure, bases.view());
  const auto self = compared_with_themselves(*measure, bases.view());
  for (std::size_t i = 0; i < bases.rows; ++i) CHECK(self[i] == among.view().row(i)[i]);

  TestContext context;
  FloatMatrix wide(samples.rows, 70);
  CHECK_THROWS_AS(measure->apply_range(samples.view(), 1, wide.view(), context), Error);
  CHECK_THROWS_AS(
      measure->apply(FloatMatrix(2, layout.size()).view(), FloatMatrix(2, 70).view(), context),
      Error);
  const FloatMatrix empty = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{3, 0});
  CHECK_THROWS_WITH_AS(compared(*measure, empty.view()),
                       doctest::Contains("row 1 of the block (counted from 0) is empty"), Error);
  FloatMatrix strange = FloatMatrix::ragged(layout.size(), std::vector<std::size_t>{3});
  strange.values[1] = 77;
  CHECK_THROWS_WITH_AS(compared(*measure, strange.view()),
                       doctest::Contains("value 1 of a string is 77, which is no position in an"),
                       Error);
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(measure->apply(samples.view(), wide.view(), context), Cancelled);
}

/// A feature's rows.
inline FloatMatrix described(Feature& feature, const Layout& layout,
                             const std::vector<std::string>& strings) {
  FloatMatrix out(strings.size(), feature.bind(layout).size());
  TestContext context;
  feature.apply(rows_of(strings, layout).view(), out.view(), context);
  return out;
}

/// The brute force of dynamic programmes.
using Cells = std::vector<std::vector<double>>;
inline Cells cells(const std::string& b, const std::string& x, double value = 0) {
  return Cells(b.size() + 1, std::vector<double>(x.size() + 1, value));
}

}  // namespace semblance::testing
