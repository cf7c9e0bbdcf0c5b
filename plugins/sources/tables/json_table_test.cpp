// SPDX-License-Identifier: MIT
#include <cmath>

#include "tests/sources_testing.hpp"

namespace json_table_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::unique_ptr<Source> table(const std::string& path, Parameters parameters = {}) {
  parameters.emplace_back("path", path);
  return make_component<Source>("source/jsonl", parameters);
}

const char* const people = R"({"age": 31, "town": "Bern", "kind": "a", "who": "x"}
{"kind": "b", "age": 2.5, "town": "Oslo", "who": "y"}

{"age": true, "town": "Bern", "kind": "a", "who": "x"}
)";

std::string refusal(const std::string& text, const Parameters& parameters = {}) {
  const TempFolder folder;
  TestContext context;
  const std::string file = folder.write("t.jsonl", text);
  std::string message = message_of(*table(file, parameters), context);
  CHECK(message.starts_with(file + ": "));
  return message.substr(std::min(message.size(), file.size() + 2));
}

}  // namespace

TEST_CASE("the keys of the first row are columns, whose roles are those of any table") {
  const TempFolder folder;
  TestContext context;
  const auto data =
      open_checked(*table(folder.write("t.jsonl.gz", people), {{"label", std::string("kind")},
                                                               {"groups", std::string("who")},
                                                               {"categorical", Texts{"town"}}}),
                   context);
  CHECK(data->outline().columns == Texts{"age", "town=Bern", "town=Oslo"});
  CHECK(data->outline().classes == Texts{"a", "b"});
  CHECK(all_rows(*data).values == Floats{31, 1, 0, 2.5, 0, 1, 1, 1, 0});
  CHECK(Labels(data->groups().begin(), data->groups().end()) == Labels{0, 1, 0});
}

TEST_CASE("a key that a row lacks, or null, is a missing value") {
  const TempFolder folder;
  TestContext context;
  const std::string gaps = "{\"x\": 1, \"y\": 2}\n{\"y\": null, \"x\": 3}\n{\"y\": 4}\n";
  const auto data =
      open_checked(*table(folder.write("t.jsonl", gaps),
                          {{"label", std::string("none")}, {"missing", std::string("keep")}}),
                   context);
  const FloatMatrix rows = all_rows(*data);
  CHECK(std::isnan(rows.values[3]));
  CHECK(std::isnan(rows.values[4]));
  CHECK(data->outline().train_rows == 3);
  CHECK(refusal(gaps, {{"label", std::string("none")}})
            .starts_with("line 2: column 2 (y) has no value; fill in"));
}

TEST_CASE("a model's columns are found by name") {
  const TempFolder folder;
  TestContext context;
  const auto source = table(folder.write("t.jsonl", people),
                            {{"label", std::string("kind")}, {"ignore", Texts{"town", "who"}}});
  source->apply_model({folder.write("new.jsonl", R"({"who": 1, "age": 7})"),
                       Layout::vector(1),
                       {"a", "b"},
                       {"age"}});
  CHECK(all_rows(*open_checked(*source, context)).values == Floats{7});
}

TEST_CASE("a line that belongs to no table is reported with its number") {
  CHECK(refusal("[1, 2]\n") ==
        "line 1: is no JSON object; write a row per line, such as {\"age\": 31, \"kind\": \"a\"}");
  CHECK(
      refusal("{\"x\": 1, \"k\": \"a\"}\n{\"x\": 1, \"k\": \"a\"\n").starts_with("line 2: is no "));
  CHECK(refusal("{\"x\": NaN, \"k\": \"a\"}\n").ends_with(", and null for NaN"));
  CHECK(refusal("{\"x\": [1], \"k\": \"a\"}\n") ==
        "line 1: holds a list or object in a value; write numbers, texts, true or null");
  CHECK(refusal("{\"x\": 1, \"x\": 2}\n") == "line 1: gives 'x' twice; give it once");
  CHECK(refusal("{\"x\": 1, \"k\": \"a\"}\n{\"x\": 1, \"z\": 3}\n") ==
        "line 2: gives 'z', which the first row lacks; give the first row all keys, null where it "
        "has no value");
  CHECK(refusal("{\"x\": \"red\", \"k\": \"a\"}\n").starts_with("line 1: column 1 (x) is 'red', "));
}

}  // namespace json_table_test
