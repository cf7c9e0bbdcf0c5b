// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tests/sources_testing.hpp"

namespace random_strings_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("random strings have the lengths, symbols and classes asked for") {
  TestContext context;
  const auto source =
      make_component<Source>("source/random_strings", {{"alphabet", std::string("zaäb")},
                                                       {"shortest", std::int64_t{5}},
                                                       {"longest", std::int64_t{9}},
                                                       {"per_class", std::int64_t{50}}});
  const auto data = open_checked(*source, context);
  CHECK(data->outline().layout == Layout::string(9, "abzä"));
  CHECK(class_counts(*data, 0, 150) == std::vector<int>{50, 50, 50});
  std::size_t least = 9, most = 0;
  for (std::size_t i = 0; i < data->outline().rows(); ++i) {
    least = std::min(least, data->values(i));
    most = std::max(most, data->values(i));
  }
  CHECK(least == 5);
  CHECK(most == 9);
  for (const float symbol : all_rows(*data).values)
    CHECK((symbol >= 0 && symbol <= 3 && symbol == std::floor(symbol)));
  CHECK(data->bytes() < 210 * (9 + 8 + 4) + 100);
  check_seeded(*source);
}

TEST_CASE("without mutation every string of a class has its motif") {
  TestContext context;
  const auto data = make_component<Source>("source/random_strings",
                                           {{"motif", std::int64_t{30}}, {"mutation", 0.0}})
                        ->open(context);
  // A motif as long as the shortest string: it does not extend beyond the string.
  std::vector<float> motif;
  for (std::size_t i = 0; i < data->outline().rows(); i += 3)
    if (data->values(i) == 30) motif = row_of(*data, i);
  REQUIRE(motif.size() == 30);
  for (std::size_t i = 0; i < data->outline().rows(); i += 3) {
    const auto row = row_of(*data, i);
    CHECK(std::search(row.begin(), row.end(), motif.begin(), motif.end()) != row.end());
  }
}

TEST_CASE("a Markov chain without contrast gives every symbol alike") {
  TestContext context;
  const auto data =
      make_component<Source>("source/random_strings", {{"contrast", 0.0},
                                                       {"motif", std::int64_t{0}},
                                                       {"per_class", std::int64_t{1}},
                                                       {"classes", std::int64_t{2}},
                                                       {"shortest", std::int64_t{40000}},
                                                       {"longest", std::int64_t{40000}}})
          ->open(context);
  const auto text = row_of(*data, 0);
  for (int symbol = 0; symbol < 4; ++symbol)
    CHECK(std::ranges::count(text, float(symbol)) == doctest::Approx(10000).epsilon(0.03));
}

TEST_CASE("random strings that cannot be are refused") {
  const auto alphabet = [](const std::string& symbols) {
    return Parameters{{"alphabet", symbols}};
  };
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/random_strings", {{"shortest", std::int64_t{60}}}),
      "'shortest: 60' is more than 'longest: 50'; lower it or raise 'longest'", Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/random_strings", alphabet("ABA")),
                       "'alphabet' has the symbol 'A' (U+0041) twice; give each symbol once",
                       Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/random_strings", alphabet("A")),
                       "'alphabet' has 1 symbol; give 2 to 256", Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/random_strings", alphabet("A\xff")),
                       "'alphabet' is not UTF-8 text; save the pipeline as UTF-8", Error);
}

}  // namespace random_strings_test
