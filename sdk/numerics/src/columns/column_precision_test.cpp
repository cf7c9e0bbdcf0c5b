// SPDX-License-Identifier: MIT
#include "semblance_numerics/column_precision.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace column_precision_test {

using semblance::numerics::ColumnPrecision;

namespace {

using Numbers = std::vector<double>;

std::string name(std::size_t) { return "it"; }

ColumnPrecision precision_of(const Numbers& values) {
  ColumnPrecision precision(1);
  for (const double value : values) precision.add(0, value);
  return precision;
}

std::string lost(const Numbers& values) { return precision_of(values).lost(name); }

/// Draws columns in several sizes; each size several times.
class Columns {
 public:
  using Draw = std::function<double(std::size_t)>;

  double evenly(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double normal() { return std::normal_distribution<double>()(random_); }

  /// How many of the columns are lost.
  static std::size_t lost_columns(const std::vector<std::size_t>& sizes, const Draw& draw) {
    std::size_t count = 0;
    for (const std::size_t size : sizes)
      for (int repeat = 0; repeat < repeats; ++repeat) {
        Numbers values(size);
        for (std::size_t i = 0; i < size; ++i) values[i] = draw(i);
        count += lost(values).empty() ? 0 : 1;
      }
    return count;
  }

  static constexpr int repeats = 5;

 private:
  std::mt19937_64 random_{1};
};

}  // namespace

TEST_CASE("a column whose usual spacing float32 cannot represent is lost, whatever else is in it") {
  Columns c;
  const std::vector<std::size_t> sizes = {25, 64, 65, 400, 10000};
  const std::vector<std::pair<const char*, Columns::Draw>> columns = {
      {"thousandths", [&](auto) { return 123456 + std::floor(c.evenly(0, 21)) / 1000; }},
      {"one 0", [&](auto i) { return i == 3 ? 0 : 123456 + c.evenly(0, .02); }},
      {"one 1e9", [&](auto i) { return i == 3 ? 1e9 : 123456 + c.evenly(0, .02); }},
      {"a tenth far away",
       [&](auto i) { return i % 10 ? 123456 + c.evenly(0, .02) : c.evenly(-1e9, 1e9); }},
      {"a third 0", [&](auto i) { return i % 3 ? 123456 + c.evenly(0, .02) : 0; }},
      {"a third -999", [&](auto i) { return i % 3 ? 1.7e9 + c.evenly(-50, 50) : -999; }},
      {"two levels", [&](auto i) { return (i % 2 ? 123456 : -987654) + c.evenly(0, .02); }},
      {"a rare level", [&](auto i) { return (i % 4 ? 123456 : 987654) + c.evenly(0, .02); }},
      {"seconds", [&](auto) { return 1.7e9 + std::floor(c.evenly(0, 100)); }},
      {"normal", [&](auto) { return 1e8 + c.normal(); }},
      {"at 1e12", [&](auto) { return 1e12 + c.normal(); }},
      {"long tails", [&](auto) { return 1e8 + 0.01 * c.normal() / c.normal(); }},
      {"negative", [&](auto) { return -5e6 - c.evenly(0, 1); }},
      {"fractions", [&](auto) { return 0.7 + c.evenly(0, 1e-7); }},
      {"under the range", [&](auto) { return c.evenly(0, 1e-50); }},
  };
  for (const auto& [what, draw] : columns) {
    CAPTURE(what);
    CHECK(Columns::lost_columns(sizes, draw) == sizes.size() * Columns::repeats);
  }
}

TEST_CASE("what float32 represents well is not lost, however it is distributed") {
  Columns c;
  const std::vector<std::size_t> sizes = {2, 3, 5, 12, 64, 65, 400, 10000};
  const std::vector<std::pair<const char*, Columns::Draw>> columns = {
      {"evenly", [&](auto) { return c.evenly(0, 1); }},
      {"twelve decades", [&](auto) { return std::exp(6 * c.normal()); }},
      {"incomes in cents", [&](auto) { return std::round(100 * std::exp(10 + c.normal())) / 100; }},
      {"heavy tails", [&](auto) { return std::pow(c.evenly(1e-9, 1), -2); }},
      {"tenths", [&](auto) { return 0.1 * std::floor(c.evenly(0, 10)); }},
      {"a constant", [](auto) { return 0.1; }},
      {"a constant beyond 2^24", [](auto) { return 20000000001.0; }},
      {"a constant, computed",
       [&](auto) { return 0.1 * (1 + 1e-16 * std::floor(c.evenly(0, 30))); }},
      {"two levels, computed",
       [&](auto i) { return (i % 2 ? 0.1 : 0.7) * (1 + 1e-16 * std::floor(c.evenly(0, 30))); }},
      {"two values", [](auto i) { return double(i % 2); }},
      {"whole numbers", [&](auto) { return std::floor(c.evenly(0, 16777216)); }},
      {"multiples", [&](auto) { return 4e9 + 256 * std::floor(c.evenly(0, 4)); }},
      {"counts, some huge",
       [&](auto i) { return std::floor(i % 20 ? c.evenly(0, 5) : c.evenly(0, 1e12)); }},
      {"numbers of accounts", [&](auto) { return std::floor(c.evenly(0, 1e10)); }},
      {"seconds of a year", [&](auto) { return 1.7e9 + std::floor(c.evenly(0, 3e7)); }},
      {"a level that matters little", [&](auto) { return 1000 + c.normal(); }},
      {"p values", [&](auto i) { return i == 0 ? 1 : std::pow(10, -300 * c.evenly(0, 1)); }},
      {"shares near 1", [&](auto) { return 1 / (1 + std::exp(-30 * c.normal())); }},
      {"a curve that settles", [&](auto i) { return std::tanh(0.02 * double(i)); }},
  };
  for (const auto& [what, draw] : columns) {
    CAPTURE(what);
    CHECK(Columns::lost_columns(sizes, draw) == 0);
  }
}

TEST_CASE("the order of the rows, and how often values occur, change nothing") {
  Columns c;
  for (const std::size_t size : {3, 7, 8, 9, 16, 17, 40, 63, 64, 65, 100, 500}) {
    CAPTURE(size);
    Numbers values;
    for (std::size_t i = 0; i < size; ++i)
      values.push_back(i % 7 ? 123456 + c.evenly(0, .02) : 1e5 * double(i));
    const std::string text = lost(values);
    CHECK(!text.empty());
    std::mt19937_64 random(2);
    for (int repeat = 0; repeat < 10; ++repeat) {
      for (std::size_t k = 0; k < 2 * size / 5 + 1; ++k) values.push_back(values[k % 11 % size]);
      std::ranges::shuffle(values, random);
      CHECK(lost(values) == text);
    }
  }
}

TEST_CASE("what is said names the values, the error and a remedy that helps") {
  CHECK(lost({1700000003, 1700000001, 1700000002, 1700000005}) ==
        "the values in it differ by 4, but would be rounded by up to 5, since float32 has 24 bits; "
        "subtract a constant, such as 1700000001, from the column first");
  CHECK(lost({0, 123456.002, 123456.001, 123456.004, 123456.005}) ==
        "most of the values in it differ by 0.004, but would be rounded by up to 0.0038125, since "
        "float32 has 24 bits; subtract a constant, such as 123456.001, from the column first");
  CHECK(lost({1e8 + 1, 1e8 + 2, 1e8 + 3, 2e8 + 1, 2e8 + 2, 2e8 + 3}) ==
        "the values in it are close together at several levels, but would be rounded by up to 3, "
        "since float32 has 24 bits; split the column into two, the levels and the differences from "
        "them first");
  CHECK(lost({1e-50, 2e-50})
            .ends_with("since float32 has nothing between 0 and 1e-45, and few digits below 1e-38; "
                       "multiply the "
                       "column by a constant first"));
  Columns c;
  Numbers noisy;
  for (int i = 0; i < 40; ++i) noisy.push_back((i % 2 ? 0.3 : 0.9) * (1 + 1e-13 * c.normal()));
  CHECK(lost(noisy).ends_with("or round it if the differences are noise, first"));
}

TEST_CASE("smaller losses are reported, with the first of the columns") {
  ColumnPrecision precision(4);
  for (int i = 0; i < 50; ++i) {
    precision.add(0, i * 0.1);
    precision.add(1, 1600000000 + 86401 * i);
    precision.add(2, 1e6 + 0.3 * i);
    precision.add(3, 20000001);
  }
  CHECK(precision.lost(name).empty());
  const std::string text = precision.rounded([](std::size_t k) { return std::to_string(k); });
  CHECK(text.starts_with("integers in 1 and in 1 more are rounded by up to "));
  CHECK(text.ends_with(
      ", while they differ by 4.23365e+06, since float32 has 24 bits; subtract a constant, such as "
      "1600000000, from the column if that matters"));
  CHECK(precision_of({1, 2, 3}).rounded(name).empty());
}

TEST_CASE("integers of 64 bits keep all digits") {
  ColumnPrecision precision(2);
  for (const std::uint64_t i : {0, 1, 2, 3, 4}) {
    precision.add(0, (std::uint64_t{1} << 62) + 137 + i);
    precision.add(1,
                  std::int64_t{-1700000000123456789} + static_cast<std::int64_t>(i) * 1000000000);
  }
  CHECK(precision.lost(name).starts_with("the values in it differ by 4, but would be rounded by"));
  precision.clear();
  for (const std::int64_t i : {0, 1, 2, 3, 4}) precision.add(0, i * (std::int64_t{1} << 60));
  CHECK(precision.lost(name).empty());
}

TEST_CASE("memory is bounded") {
  ColumnPrecision precision(3);
  Columns c;
  for (int i = 0; i < 10000; ++i)
    for (std::size_t k = 0; k < 3; ++k) precision.add(k, c.normal());
  CHECK(precision.bytes() <= ColumnPrecision::bytes(3, 10000));
  CHECK(precision.bytes() > 3 * 64 * 16);
}

}  // namespace column_precision_test
