// SPDX-License-Identifier: MIT
// Names, weights and groups of rows, in columns of their file or of a table beside it.
#include <algorithm>

#include "tests/sources_testing.hpp"

namespace row_facts_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value text(const std::string& value) { return value; }

std::vector<double> weights(const Dataset& data) {
  return {data.weights().begin(), data.weights().end()};
}
Labels groups(const Dataset& data) { return {data.groups().begin(), data.groups().end()}; }

Texts names(const Dataset& data) {
  Texts all;
  for (std::size_t row = 0; row < data.outline().rows(); ++row) all.push_back(data.name(row));
  return all;
}

const Parameters named = {{"id", text("name")}, {"weight", text("times")}, {"groups", text("who")}};

Parameters with(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

void check_facts(const std::string& id, const Parameters& parameters) {
  CAPTURE(id);
  TestContext context;
  const auto source = make_component<Source>(id, parameters);
  CHECK(source->gives_weights());
  CHECK(source->gives_groups());
  const auto data = open_checked(*source, context);
  CHECK(data->outline().classes == Texts{"a", "b"});
  CHECK(names(*data) == Texts{"first", "second", "third"});
  CHECK(weights(*data) == std::vector<double>{1, 0.5, 2});
  CHECK(groups(*data) == Labels{0, 1, 0});
}

}  // namespace

TEST_CASE("columns of a table of strings or texts name, weigh and group its rows") {
  const TempFolder folder;
  const auto table = folder.write("t.tsv",
                                  "label\ttext\tname\ttimes\twho\n"
                                  "a\tone word\tfirst\t1\tx\n"
                                  "b\ttwo words\tsecond\t.5\ty\n"
                                  "a\tone more\tthird\t2\tx\n");
  check_facts("source/strings", with({{"path", table}, {"label", text("label")}}, named));
  check_facts("source/text", with({{"path", table},
                                   {"label", text("label")},
                                   {"text", text("text")},
                                   {"least_rows", std::int64_t{1}}},
                                  named));
}

TEST_CASE("a table beside any other file does the same") {
  const TempFolder folder;
  const Parameters beside =
      with({{"beside",
             folder.write("about.csv", "who;times;name\nx;1;first\ny;.5;second\nx;2;third\n")}},
           named);
  const auto csv = folder.write("t.csv", "1,a\n2,b\n3,a\n");
  check_facts("source/csv", with({{"path", csv}}, beside));
  const auto fasta = folder.write("t.fa", ">one a\nAB\n>two b\nBA\n>three a\nAA\n");
  check_facts("source/strings", with({{"path", fasta}, {"label", text("2")}}, beside));
  check_facts("source/libsvm",
              with({{"path", folder.write("t.txt", "a 1:1\nb 1:2\na 1:3\n")}}, beside));
  check_facts("source/ucr",
              with({{"path", folder.write("s.tsv", "a\t1\t2\nb\t3\t4\na\t5\t6\n")}}, beside));
  for (const char* name : {"a/1", "a/3", "b/2"})
    folder.write(std::string("pictures/") + name + ".pgm", "P2\n1 1\n255\n1\n");
  TestContext context;
  const auto pictures =
      open_checked(*make_component<Source>("source/images",
                                           with({{"path", folder.path() + "/pictures"}}, beside)),
                   context);
  CHECK(groups(*pictures) == Labels{0, 1, 0});
}

TEST_CASE("a table beside the training file says nothing of test rows and of new data") {
  const TempFolder folder;
  TestContext context;
  const Parameters parameters = {{"path", folder.write("s.tsv", "a\t1\t2\nb\t3\t4\n")},
                                 {"test_path", folder.write("u.tsv", "b\t5\t6\n")},
                                 {"beside", folder.write("about.csv", "times,who\n3,x\n1,y\n")},
                                 {"weight", text("times")},
                                 {"groups", text("2")}};
  const auto data = open_checked(*make_component<Source>("source/ucr", parameters), context);
  CHECK(weights(*data) == std::vector<double>{3, 1, 1});
  CHECK(groups(*data) == Labels{0, 1, -1});
  const auto applied = make_component<Source>("source/ucr", parameters);
  applied->apply_model({folder.write("new.tsv", "1\t2\n"), Layout::sequence(2, 1), {"a", "b"}, {}});
  CHECK(applied->files().size() == 1);
}

TEST_CASE("new data have the groups that their table, or one beside them, has") {
  const TempFolder folder;
  TestContext context;
  const auto applied = [&](const char* id, const Parameters& parameters, const std::string& file,
                           const Layout& layout, Texts given) {
    const auto source = make_component<Source>(id, parameters);
    source->apply_model({file, layout, {"a", "b"}, {}, {}, std::move(given)});
    const auto data = source->open(context);
    CHECK(weights(*data).empty());
    return groups(*data);
  };
  const auto series = folder.write("new.tsv", "a\t1\t2\nb\t3\t4\na\t5\t6\n");
  const auto beside = [&](const std::string& table) {
    return applied("source/ucr",
                   {{"path", text("/gone.tsv")},
                    {"beside", folder.write("about.csv", table)},
                    {"weight", text("times")},
                    {"groups", text("who")}},
                   series, Layout::sequence(2, 1), {"beside"});
  };
  CHECK(beside("name,who\n1,x\n2,y\n3,x\n") == Labels{0, 1, 0});
  CHECK(beside("who,times\nx,1\nNA,\nx,2\n") == Labels{0, -1, 0});
  CHECK(beside("name,sex\n1,f\n2,m\n3,m\n").empty());
  const auto strings = [&](const std::string& table) {
    return applied("source/strings",
                   {{"path", text("/gone.tsv")},
                    {"label", text("label")},
                    {"text", text("text")},
                    {"alphabet", text("AB")},
                    {"weight", text("times")},
                    {"groups", text("who")}},
                   folder.write("s.tsv", table), Layout::sequence(2, 1), {});
  };
  CHECK(strings("text\twho\nAB\tx\nBA\ty\nBB\tx\n") == Labels{0, 1, 0});
  CHECK(strings("text\twho\nAB\t\nBA\ty\n") == Labels{-1, 0});
  CHECK(strings("text\nAB\n") == Labels{-1});
}

TEST_CASE("test_fraction keeps groups of series and strings together") {
  const TempFolder folder;
  std::string series, about = "who\n";
  for (int i = 0; i < 24; ++i) {
    series += std::string(i % 2 == 0 ? "a" : "b") + "\t" + std::to_string(i) + "\t1\n";
    about += "p" + std::to_string(i / 3) + "\n";
  }
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/ucr", {{"path", folder.write("s.tsv", series)},
                                             {"beside", folder.write("about.csv", about)},
                                             {"groups", text("who")},
                                             {"test_fraction", .25}}),
      context);
  const std::size_t train = data->outline().train_rows;
  CHECK(train < 24);
  const Labels all = groups(*data);
  for (std::size_t i = train; i < 24; ++i)
    CHECK(std::find(all.begin(), all.begin() + static_cast<long>(train), all[i]) ==
          all.begin() + static_cast<long>(train));
}

TEST_CASE("rows that are dropped have their row in the table beside") {
  const TempFolder folder;
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/strings",
                              {{"path", folder.write("t.tsv", "a\tx\nrare\ty\na\tz\n")},
                               {"smallest_class", std::int64_t{2}},
                               {"beside", folder.write("about.csv", "who\nfirst\nsecond\nthird\n")},
                               {"id", text("who")}}),
      context);
  CHECK(names(*data) == Texts{"first", "third"});
}

TEST_CASE("faults of such columns are reported with their place") {
  const TempFolder folder;
  TestContext context;
  const auto series = folder.write("s.tsv", "a\t1\t2\nb\t3\t4\n");
  const auto beside = [&](const std::string& table, const Parameters& more) {
    const auto file = folder.write("about.csv", table);
    const std::string message = message_of(
        *make_component<Source>("source/ucr", with({{"path", series}, {"beside", file}}, more)),
        context);
    return message.starts_with(file + ": ") ? message.substr(file.size() + 2) : message;
  };
  CHECK(beside("who\nx\n", {{"groups", text("who")}}) ==
        "has 1 rows, but " + series + " has 2; give a row for each, in the same order");
  CHECK(beside("who\nx\n\"\"\n", {{"groups", text("who")}}) ==
        "line 3: the group in column 1 is missing; fill it in, or remove the row");
  CHECK(beside("w\n1\n-1\n", {{"weight", text("w")}}) ==
        "line 3: the weight in column 1 is '-1'; weights must be 0 or more");
  CHECK(beside("w\n1\nNA\n", {{"weight", text("w")}}) ==
        "line 3: the weight in column 1 is missing; fill it in: 0 for a row that is not to be "
        "learned from");
  CHECK(beside("w,x\n1,2\n", {{"weight", text("times")}}) ==
        "line 1: no column 'times' for 'weight'; columns are: w, x");
  CHECK(beside("1\n2\n", {{"weight", text("3")}}) ==
        "line 1: no column 3 for 'weight': the line has 1 fields; columns count from 1, or from -1 "
        "at the end");
  for (const char* source : {"source/ucr", "source/images", "source/libsvm"})
    CHECK_THROWS_WITH_AS(
        make_component<Source>(source, {{"path", series}, {"groups", text("who")}}),
        "'groups' names a column, but these files have none; name a table with a row "
        "for each of theirs in 'beside'",
        Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/ucr", {{"path", series}, {"beside", series}}),
                       "'beside' names a table, but none of 'id', 'weight' and 'groups' names a "
                       "column of it; name one, or remove 'beside'",
                       Error);
  const auto strings = folder.write("t.tsv", "label\ttext\na\tx\n");
  CHECK(message_of(*make_component<Source>(
                       "source/strings",
                       {{"path", strings}, {"label", text("label")}, {"groups", text("text")}}),
                   context) == strings +
                                   ": line 1: 'groups' names column 2, which 'text' names as "
                                   "well; give each its own");
}

}  // namespace row_facts_test
