// SPDX-License-Identifier: MIT
#include "support/json_text.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace json_text_test {

using namespace semblance;
using Failure = nlohmann::json::exception;

TEST_CASE("whole numbers of a JSON file are taken as they are, and nothing is taken for one") {
  CHECK(integer_in<std::int64_t>(parse_json("-3")) == -3);
  CHECK(integer_in<std::uint64_t>(parse_json("18446744073709551615")) == 18446744073709551615u);
  CHECK(integer_in<std::int32_t>(parse_json("-2147483648")) == -2147483648);
  for (const char* wrong : {"-1", "4294967296", "1.0", "9.2e23", "922112023720237041099849", "true",
                            "null", "\"1\"", "[1]", "{}"})
    CHECK_THROWS_AS(integer_in<std::uint32_t>(parse_json(wrong)), Failure);
  CHECK_THROWS_WITH(
      integer_in<std::int64_t>(parse_json("1.5")),
      "[json.exception.type_error.302] a whole number is wanted, this is a number 1.5");
}

TEST_CASE("an array of whole numbers has nothing else in it") {
  CHECK(integers_in<std::int32_t>(parse_json("[]")).empty());
  CHECK(integers_in<std::int32_t>(parse_json("[1, -2]")) == std::vector<std::int32_t>{1, -2});
  CHECK_THROWS_AS(integers_in<std::int32_t>(parse_json("[1, 2.5]")), Failure);
  CHECK_THROWS_AS(integers_in<std::int32_t>(parse_json("{\"a\": 1}")), Failure);
}

TEST_CASE("JSON is read up to a depth that no stack is troubled by") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK_NOTHROW(parse_json(nested(deepest_json)));
  CHECK_THROWS_AS(parse_json(nested(deepest_json + 1)), Failure);
  CHECK_NOTHROW(parse_json("[\"" + std::string(1000, '[') + "\"]"));
}

TEST_CASE("what is wrong with a JSON file is said in plain words, without its bytes") {
  const auto problem = [](const auto& read) -> std::string {
    try {
      read();
    } catch (const std::exception& failure) {
      return json_problem(failure);
    }
    return "none";
  };
  const auto of_text = [&](const std::string& text) { return problem([&] { parse_json(text); }); };
  CHECK(of_text("") == "not JSON from column 1 on");
  CHECK(of_text("{\"a\": NaN}") == "not JSON from column 7 on; write null for NaN and Infinity");
  CHECK(of_text("[1, Infinity]") == "not JSON from column 5 on; write null for NaN and Infinity");
  CHECK(of_text("[1, nan]") == "not JSON from column 6 on");
  CHECK(of_text("{\"a\": \xff\xfe}") == "not JSON from column 7 on");
  CHECK(of_text("{\n \"a\": \"\xe4\"}") == "not JSON from line 2, column 9 on");
  CHECK(of_text("\"\x1b[31m\"") == "not JSON from column 2 on");
  CHECK(of_text("[1e999]") == "a number is out of range");
  CHECK(of_text(std::string(99, '[')) == "nested 99 levels deep, but the limit is 64");
  const auto found = parse_json("{\"a\": \"b\"}");
  CHECK(problem([&] { found.at("version"); }) == "key 'version' not found");
  CHECK(problem([&] { found.at("a").at("b"); }) == "an entry has the wrong type");
  CHECK(problem([&] { found.at("a").get<int>(); }) == "type must be number, but is string");
  CHECK(problem([] { throw std::runtime_error("two rows"); }) == "two rows");
}

}  // namespace json_text_test
