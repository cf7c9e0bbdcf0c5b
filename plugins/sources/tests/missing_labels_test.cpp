// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tests/sources_testing.hpp"

namespace missing_labels_test {

using namespace semblance;
using namespace semblance::testing;

// Rows without a label, in every format that has labels.

namespace {

const Parameters drop = {{"missing_labels", std::string("drop")}};

std::unique_ptr<Source> source_of(const std::string& id, const std::string& file,
                                  const Parameters& more) {
  Parameters all = {{"path", file}};
  all.insert(all.end(), more.begin(), more.end());
  return make_component<Source>(id, all);
}

std::vector<std::int64_t> numbers(const Dataset& data) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < data.outline().rows(); ++i) all.push_back(data.number(i));
  return all;
}

/// Row 1 of four lacks its label: refused with its position, or dropped, with unchanged numbers of
/// the other rows.
void check_one_of_four(const std::string& id, const std::string& name, const std::string& content,
                       const std::string& place, const Parameters& more = {}) {
  CAPTURE(name);
  const TempFolder folder;
  const auto file = folder.write(name, content);
  TestContext context;
  check_message(message_of(*source_of(id, file, more), context), file, place);
  Parameters dropping = drop;
  dropping.insert(dropping.end(), more.begin(), more.end());
  context.lines.clear();
  const auto data = open_checked(*source_of(id, file, dropping), context);
  CHECK(data->outline().classes == Texts{"u", "v"});
  CHECK(labels(*data) == Labels{0, 1, 1});
  CHECK(numbers(*data) == std::vector<std::int64_t>{0, 2, 3});
  CHECK(std::ranges::any_of(context.lines, [](const std::string& line) {
    return line.find("dropped by 'missing_labels: drop': 1 of 4 rows") != line.npos;
  }));
}

}  // namespace

TEST_CASE("a label that stands for a missing value is no class") {
  for (const char* missing :
       {"", "?", "NA", "na", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A", "#NA", "<NA>"}) {
    const std::string m = missing;
    check_one_of_four("source/csv", "a.csv", "0,u\n1," + m + "\n2,v\n3,v\n",
                      "line 2: the label in column 2");
    check_one_of_four("source/csv", "a.csv", "x,y\n0,u\n1," + m + "\n2,v\n3,v\n",
                      "line 3: the label in column 2");
    check_one_of_four("source/strings", "a.tsv", "u\tab\n" + m + "\tbc\nv\tcd\nv\tabc\n",
                      "line 2: the label is ");
    check_one_of_four("source/text", "t.tsv", "u\ta word\n" + m + "\tnone\nv\ta text\nv\tit is\n",
                      "line 2: the label is ", {{"least_rows", std::int64_t{1}}});
    check_one_of_four("source/ucr", "s.tsv", "u\t1\t2\n" + m + "\t9\nv\t1\t3\nv\t5\t1\n",
                      "line 2: the label is ");
    if (m.empty()) continue;  // these have none instead
    if (!m.starts_with('#'))  // which begins a remark there
      check_one_of_four("source/libsvm", "a.libsvm", "u 1:1\n" + m + " 7:5\nv 1:2\nv 1:3\n",
                        "line 2: the label is ");
    check_one_of_four("source/strings", "a.fasta", ">u\nAC\n>" + m + "\nGG\n>v\nCC\n>v\nCA\n",
                      "line 3: the label is ");
  }
  for (const char* rows : {"none", "nothing", "Nan1", "-"}) {
    const TempFolder folder;
    TestContext context;
    const auto file = folder.write("a.csv", std::string("0,u\n1,") + rows + "\n");
    CHECK(labels(*open_checked(*source_of("source/csv", file, {}), context)).size() == 2);
  }
}

TEST_CASE("files that declare their classes: ? alone is a missing label") {
  const std::string table = "@relation r\n@attribute a numeric\n@attribute y {u,v,NA}\n@data\n";
  check_one_of_four("source/arff", "a.arff", table + "0,u\n1,?\n2,v\n3,v\n",
                    "line 6: the label in column 2 is missing");
  const std::string series =
      "@relation r\n@attribute a numeric\n@attribute b numeric\n"
      "@attribute y {u,v}\n@data\n";
  check_one_of_four("source/ucr", "s.arff", series + "0,1,u\n1,2,?\n2,1,v\n3,5,v\n",
                    "line 7: the label is missing");
  const std::string tags = "@univariate true\n@classLabel true u v\n@data\n";
  check_one_of_four("source/ucr", "s.ts", tags + "0,1:u\n1,2:?\n2,1:v\n3,5:v\n",
                    "line 5: the label is missing");
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.arff", table + "0,u\n1,NA\n2,v\n");
  CHECK(open_checked(*source_of("source/arff", file, {}), context)->outline().classes ==
        Texts{"NA", "u", "v"});
}

TEST_CASE("NA may be the name of a class, if that is said") {
  const TempFolder folder;
  TestContext context;
  const Parameters classes = {{"missing_labels", std::string("classes")}};
  const auto file = folder.write("a.csv", "x,y\n0,NA\n1,DE\n2,NA\n");
  CHECK(message_of(*source_of("source/csv", file, {}), context) ==
        file +
            ": line 2: the label in column 2 is 'NA', which stands for a missing value; fill it "
            "in, or set 'missing_labels: drop' to drop such rows, or 'missing_labels: classes' if "
            "it is the name of a class");
  CHECK(open_checked(*source_of("source/csv", file, classes), context)->outline().classes ==
        Texts{"DE", "NA"});
  const auto empty = folder.write("b.csv", "0,a\n1,\n");
  check_message(message_of(*source_of("source/csv", empty, classes), context), empty, "is empty");
}

TEST_CASE("nothing of a row that is dropped counts: no value, no category, no symbol, no weight") {
  const TempFolder folder;
  TestContext context;
  Parameters more = drop;
  more.emplace_back("categorical", Texts{"c"});
  more.emplace_back("weight", std::string("w"));
  const auto file = folder.write("a.csv",
                                 "x,c,w,y\n1,red,1,u\n?,green,-3,NA\n3,blue,2,v\n"
                                 "9e99,red,1,\n4,red,1,u\n");
  const auto data = open_checked(*source_of("source/csv", file, more), context);
  CHECK(data->outline().columns == Texts{"x", "c=blue", "c=red"});
  CHECK(all_rows(*data).values == Floats{1, 0, 1, 3, 1, 0, 4, 0, 1});
  CHECK(std::vector<double>(data->weights().begin(), data->weights().end()) ==
        std::vector<double>{1, 2, 1});
  CHECK(data->outline().numbered_rows == 5);
  const auto strings = folder.write("s.tsv", "u\tab\nNA\txyz\nv\tba\n");
  CHECK(open_checked(*source_of("source/strings", strings, drop), context)
            ->outline()
            .layout.alphabet == "ab");
  const auto sparse = folder.write("a.libsvm", "u 1:1\n? 9:5\nv 2:2\n");
  CHECK(open_checked(*source_of("source/libsvm", sparse, drop), context)->outline().layout ==
        Layout::vector(2));
}

TEST_CASE("test rows are chosen among those that are left") {
  const TempFolder folder;
  TestContext context;
  std::string all;
  for (int i = 0; i < 20; ++i)
    all += std::to_string(i) + "," + (i % 4 == 3 ? "NA" : i % 2 == 0 ? "u" : "v") + "\n";
  const auto file = folder.write("a.csv", all), test = folder.write("b.csv", "7,v\n8,\n9,u\n");
  const auto split_by = [&](const char* name, const Value& value) {
    Parameters more = drop;
    more.emplace_back(name, value);
    return open_checked(*source_of("source/csv", file, more), context);
  };
  const auto last = split_by("test_rows", std::int64_t{3});
  CHECK(last->outline().train_rows == 12);
  CHECK(last->outline().test_rows == 3);
  CHECK(numbers(*last).back() == 18);
  const auto drawn = split_by("test_fraction", 0.4);
  CHECK(class_counts(*drawn, 0, drawn->outline().train_rows) == std::vector<int>{6, 3});
  CHECK(class_counts(*drawn, drawn->outline().train_rows, drawn->outline().test_rows) ==
        std::vector<int>{4, 2});
  const auto second = split_by("test_path", test);
  CHECK(second->outline().train_rows == 15);
  CHECK(labels(*second)[15] == 1);
  CHECK(numbers(*second)[16] == 22);
  const auto strange = folder.write("c.csv", "7,v\n8,\n9,w\n");
  Parameters more = drop;
  more.emplace_back("test_path", strange);
  check_message(message_of(*source_of("source/csv", file, more), context), strange,
                "test row 3: its class 'w' has no training rows");
  const auto none = folder.write("d.csv", "7,NA\n8,\n9,?\n");
  check_message(message_of(*source_of("source/csv", none, drop), context), none,
                "no row has a label");
}

TEST_CASE("all new rows of a model are predicted, those without a label too") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("a.csv", "0,u\n1,v\n"),
             fresh = folder.write("b.csv", "5,NA\n6,v\n");
  for (const Parameters& more : {Parameters{}, drop}) {
    auto source = source_of("source/csv", file, more);
    const auto trained = source->open(context);
    source->apply_model({fresh, trained->outline().layout, {"u", "v"}, {}});
    const auto data = open_checked(*source, context);
    CHECK(data->outline().test_rows == 2);
    CHECK(labels(*data) == Labels{-1, 0});  // the classes of the new data alone
  }
}

}  // namespace missing_labels_test
