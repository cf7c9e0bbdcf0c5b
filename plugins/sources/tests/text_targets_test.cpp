// SPDX-License-Identifier: MIT
// Numbers to predict of strings and documents, and labels that may be such numbers.
#include <cmath>
#include <initializer_list>

#include "tests/sources_testing.hpp"

namespace text_targets_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
using Doubles = std::vector<double>;

Doubles targets(const Dataset& data) { return {data.targets().begin(), data.targets().end()}; }

std::string refusal(const Source& source, const std::string& file) {
  TestContext context;
  const std::string message = message_of(source, context);
  if (!message.starts_with(file + ": ")) return message;
  return message.substr(file.size() + 2);
}
}  // namespace

TEST_CASE("strings and documents with a number to predict") {
  const TempFolder folder;
  TestContext context;
  const auto table = folder.write(
      "t.tsv", "solubility\tsmiles\n-0.77\tCCO\n1e-3\tc1ccccc1\n-3.5\tCCCCCC\n-0.77\tCO\n");
  for (const char* id : {"source/strings", "source/text"}) {
    CAPTURE(std::string(id));
    const auto made = [&](const std::string& file, Parameters more = {}) {
      for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
               {"label", "solubility"}, {"text", "smiles"}, {"target", "numbers"}})
        more.emplace_back(name, std::string(value));
      if (id == std::string("source/text")) {
        more.emplace_back("terms", std::string("characters"));
        more.emplace_back("least_rows", std::int64_t{1});
      }
      more.emplace_back("path", file);
      return make_component<Source>(id, more);
    };
    const auto source = made(table);
    CHECK(source->target_kind() == TargetKind::numbers);
    const auto data = open_checked(*source, context);
    CHECK(data->outline().targets == Texts{"target"});
    CHECK(data->outline().classes.empty());
    CHECK(data->outline().train_rows == 4);
    CHECK(targets(*data) == Doubles{-0.77, 1e-3, -3.5, -0.77});
    const auto split = open_checked(*made(table, {{"test_fraction", 0.5}}), context);
    CHECK(split->outline().test_rows == 2);
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(split->targets()[i] == data->targets()[static_cast<std::size_t>(split->number(i))]);
    const auto wrong = folder.write("w.tsv", "solubility\tsmiles\nhigh\tCCO\n");
    CHECK(refusal(*made(wrong), wrong) ==
          "line 2: the target is 'high', which is not a number; correct it, or read classes "
          "instead if these are names");
    const auto gap = folder.write("g.tsv", "solubility\tsmiles\n1\tCCO\nNA\tCO\n");
    CHECK(refusal(*made(gap), gap) ==
          "line 3: the target is missing; fill it in, or set 'missing_labels: drop' to drop such "
          "rows");
    const auto dropped =
        open_checked(*made(gap, {{"missing_labels", std::string("drop")}}), context);
    CHECK(targets(*dropped) == Doubles{1});
    const auto fresh = made(table);
    fresh->apply_model({folder.write("n.tsv", "smiles\nCCO\nCO\n"),
                        data->outline().layout,
                        {},
                        data->outline().columns,
                        {"target"}});
    const auto bare = fresh->open(context);
    CHECK(bare->outline().test_rows == 2);
    CHECK(std::isnan(bare->targets()[1]));
  }
  folder.write("docs/a/1.txt", "one");
  const auto documents = make_component<Source>(
      "source/text", {{"path", folder.path() + "/docs"}, {"target", std::string("numbers")}});
  CHECK(refusal(*documents, folder.path() + "/docs") ==
        "is a folder, which has classes and no numbers to predict; give a table, or omit 'target: "
        "numbers'");
  CHECK_THROWS_WITH(make_component<Source>("source/strings", {{"path", table},
                                                              {"target", std::string("numbers")},
                                                              {"smallest_class", std::int64_t{5}}}),
                    "'label_parts' and 'smallest_class' are for classes, but 'target' is numbers; "
                    "remove them");
}

TEST_CASE("labels that look like measurements name the way to numbers") {
  const TempFolder folder;
  std::string fractions = "x,y\n", whole = "x,y\n", few = "x,y\n", distinct = "x,y\n";
  for (int i = 0; i < 400; ++i) {
    const std::string x = std::to_string(i) + ",";
    fractions += x + std::to_string(i % 50) + ".25\n";
    whole += x + std::to_string(i % 120) + "\n";
    few += x + std::to_string(i % 12) + ".5\n";
    distinct += x + std::to_string(i) + "\n";
  }
  const auto warnings = [&](const std::string& text, Parameters more = {}) {
    TestContext context;
    more.emplace_back("path", folder.write("t.csv", text));
    make_component<Source>("source/csv", more)->open(context);
    return context.lines;
  };
  REQUIRE(warnings(fractions).size() == 1);
  CHECK(warnings(fractions)[0] ==
        folder.path() +
            "/t.csv: its labels are 50 different numbers, like measurements; name the column in "
            "'target' in place of 'label' if they are to be predicted as numbers, or set "
            "'many_classes: true' if they are classes");
  CHECK(warnings(fractions, {{"many_classes", true}}).empty());
  CHECK(warnings(whole).size() == 1);
  CHECK(warnings(few).empty());
  const auto file = folder.write("d.csv", distinct);
  CHECK(refusal(*make_component<Source>("source/csv", {{"path", file}}), file)
            .ends_with("name the class column, name the column in 'target' in place of 'label' if "
                       "these are numbers to predict, or set 'many_classes: true' if these are "
                       "classes"));
}

}  // namespace text_targets_test
