// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"
#include "text/alphabet.hpp"

namespace strings_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

Value text(const std::string& t) { return t; }

/// A row, spelled with the symbols of the layout.
std::string spelled(const Dataset& data, std::size_t row) {
  const auto symbols = symbols_of(data.outline().layout);
  std::string all;
  for (const float code : row_of(data, row)) all += symbols.at(static_cast<std::size_t>(code));
  return all;
}

}  // namespace

TEST_CASE("a table of labels and strings: symbols are code points, in their order") {
  const TempFolder folder;
  const auto train = folder.write("t.tsv",
                                  "\xef\xbb\xbf"
                                  "de\tß a\r\nfr\t\"é\r\n\r\n");
  const auto test = folder.write("u.tsv.xz", "fr\t€😀\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/strings", {{"path", train}, {"test_path", test}}), context);
  CHECK(data->outline().layout == Layout::string(3, " \"aßé"));
  CHECK(data->outline().classes == Texts{"de", "fr"});
  CHECK(data->outline().train_rows == 2);
  CHECK(labels(*data) == Labels{0, 1, 1});
  CHECK(row_of(*data, 0) == Floats{3, 0, 2});
  CHECK(row_of(*data, 1) == Floats{1, 4});
  CHECK(row_of(*data, 2) == Floats{new_symbol_value(U'€'), new_symbol_value(U'😀')});
}

TEST_CASE("columns of a table by name or number, with a header or without") {
  const TempFolder folder;
  const auto three = folder.write("three.tsv", "id\tword\tkind\n1\tab\tx\n2\tba\ty\n");
  TestContext context;
  const auto by_name = open_checked(
      *make_component<Source>("source/strings",
                              {{"path", three}, {"label", text("kind")}, {"text", text("word")}}),
      context);
  CHECK(by_name->outline().classes == Texts{"x", "y"});
  CHECK(spelled(*by_name, 0) == "ab");
  const auto by_number =
      open_checked(*make_component<Source>("source/strings", {{"path", three},
                                                              {"label", text("-1")},
                                                              {"text", text("2")},
                                                              {"header", text("present")}}),
                   context);
  CHECK(by_number->outline().classes == Texts{"x", "y"});
  const auto seen = folder.write("seen.tsv", "Label\tText\nx\tab\n");
  CHECK(
      make_component<Source>("source/strings", {{"path", seen}})->open(context)->outline().rows() ==
      1);
  CHECK(make_component<Source>("source/strings", {{"path", seen}, {"header", text("absent")}})
            ->open(context)
            ->outline()
            .rows() == 2);
  const auto bare = folder.write("bare.txt", "ab\nba\n");
  const auto unlabelled = open_checked(
      *make_component<Source>("source/strings", {{"path", bare}, {"label", text("none")}}),
      context);
  CHECK(unlabelled->outline().train_rows == 2);
  CHECK(labels(*unlabelled) == Labels{-1, -1});
}

TEST_CASE("FASTA: lines are joined, the label is a word of the header") {
  const TempFolder folder;
  const auto file =
      folder.write("p.fa.gz", ">d1 a.1.1.1 (A:)\nACdef\nGH\n\n;note\n>d2 b.2.1.1\r\nAC\r\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/strings",
                              {{"path", file}, {"label", text("2")}, {"letters", text("upper")}}),
      context);
  CHECK(data->outline().classes == Texts{"a.1.1.1", "b.2.1.1"});
  CHECK(spelled(*data, 0) == "ACDEFGH");
  CHECK(spelled(*data, 1) == "AC");
  CHECK(data->name(0) == "d1");
  const auto bars = folder.write("u.fasta", ">sp|P1|ONE\nAC\n>tr|P2|TWO\nCA\n");
  const auto first = open_checked(
      *make_component<Source>("source/strings", {{"path", bars}, {"words", text("bar")}}), context);
  CHECK(first->outline().classes == Texts{"sp", "tr"});
  CHECK(first->name(0) == "sp|P1|ONE");
}

TEST_CASE(
    "FASTA: names are whole ids, an id's last part may be the label, "
    "remarks are no symbols") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("u.fasta", ">sp|P1|ONE a protein\nAC\n> tr|P2|TWO\nCA\n");
  const auto read = [&](const char* words, const char* label) {
    return open_checked(
        *make_component<Source>("source/strings",
                                {{"path", file}, {"words", text(words)}, {"label", text(label)}}),
        context);
  };
  const auto both = read("both", "3");
  CHECK(both->outline().classes == Texts{"ONE", "TWO"});
  CHECK(both->name(0) == "sp|P1|ONE");
  CHECK(both->name(1) == "tr|P2|TWO");
  CHECK(read("bar", "3")->outline().classes == Texts{"ONE a protein", "TWO"});
  CHECK(read("blank", "1")->name(0).empty());  // it is the label
  const auto remark = folder.write("r.fasta", ">a\nAC\n#end\n>b\nCA\n");
  check_message(message_of(*make_component<Source>("source/strings", {{"path", remark}}), context),
                remark, "line 3: holds a '#', which is no symbol of a sequence");
  const auto symbol = folder.write("s.fasta", ">a\nAC#\n>b\nCA\n");
  const auto data = open_checked(
      *make_component<Source>("source/strings", {{"path", symbol}, {"alphabet", text("#AC")}}),
      context);
  CHECK(spelled(*data, 0) == "AC#");
}

TEST_CASE("parts of labels, and classes that are too small") {
  const TempFolder folder;
  const auto train = folder.write(
      "s.tsv", "a.1.1.1\tx\na.1.1.2\ty\nb.1.1.1\tz\na.1.2.1\tx\na.1.2.9\ty\na.1.2.9\tx\n");
  const auto test = folder.write("t.tsv", "c.1.1.1\tx\na.1.1.7\ty\n");
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/strings", {{"path", train},
                                                              {"test_path", test},
                                                              {"label_parts", std::int64_t{3}},
                                                              {"smallest_class", std::int64_t{2}}}),
                   context);
  CHECK(data->outline().classes == Texts{"a.1.1", "a.1.2"});
  CHECK(data->outline().train_rows == 5);
  CHECK(data->outline().test_rows == 1);
  CHECK(data->outline().numbered_rows == 6);
  CHECK(data->outline().layout == Layout::string(1, "xy"));  // z went with its class
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < 6; ++i) numbers.push_back(data->number(i));
  CHECK(numbers == std::vector<std::int64_t>{0, 1, 3, 4, 5, 7});
  CHECK(context.lines.back() ==
        train + ": dropped by 'smallest_class: 2': 2 of 8 rows, 2 of 4 classes");
}

TEST_CASE("an alphabet that is given is put in order; other symbols may be dropped") {
  const TempFolder folder;
  const auto file = folder.write("n.tsv", "x\tACNGT\ny\tNNTT\n");
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>(
                       "source/strings",
                       {{"path", file}, {"alphabet", text("TGCA")}, {"unknown", text("drop")}}),
                   context);
  CHECK(data->outline().layout == Layout::string(4, "ACGT"));
  CHECK(row_of(*data, 0) == Floats{0, 1, 2, 3});
  CHECK(row_of(*data, 1) == Floats{3, 3});
  CHECK(context.lines.back() == file + ": 3 symbols outside of the alphabet are dropped");
}

TEST_CASE("the alphabet is that of training rows, to which other symbols are new") {
  const TempFolder folder;
  TestContext context;
  const std::string train = folder.write("train.tsv", "a\tCA\nb\tAC\nb\tGA\n");
  const auto data = open_checked(
      *make_component<Source>("source/strings",
                              {{"path", train}, {"test_path", folder.write("t.tsv", "a\tABC\n")}}),
      context);
  CHECK(data->outline().layout.alphabet == "ACG");
  CHECK(row_of(*data, 3) == Floats{0, new_symbol_value(U'B'), 1});
  const auto aside = open_checked(
      *make_component<Source>("source/strings", {{"path", train}, {"test_rows", std::int64_t{1}}}),
      context);
  CHECK(aside->outline().layout.alphabet == "AC");
  CHECK(row_of(*aside, 2) == Floats{new_symbol_value(U'G'), 0});
}

TEST_CASE("alphabets of more than 256 symbols take two bytes a symbol") {
  const TempFolder folder;
  std::string lines = "x\t";
  for (char32_t symbol = 0x4e00; symbol < 0x4e00 + 300; ++symbol) lines += utf8(symbol);
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/strings", {{"path", folder.write("w.tsv", lines)}}), context);
  CHECK(data->outline().layout.width == 300);
  CHECK(row_of(*data, 0)[299] == 299);
}

TEST_CASE("strings are split as the rows of any table") {
  const TempFolder folder;
  std::string lines;
  for (int i = 0; i < 40; ++i)
    lines += (i % 2 ? "odd\t" : "even\t") + std::string(std::size_t(i + 1), 'a') + "\n";
  const auto source = make_component<Source>(
      "source/strings", {{"path", folder.write("l.tsv", lines)}, {"test_fraction", 0.1}});
  TestContext context;
  const auto data = open_checked(*source, context);
  CHECK(class_counts(*data, 36, 4) == std::vector<int>{2, 2});
  for (std::size_t i = 0; i < 40; ++i) CHECK(data->values(i) == std::size_t(data->number(i)) + 1);
  CHECK(data->bytes() < 40 * 41 / 2 + 40 * 32);
}

TEST_CASE("the sets of strings: rows, classes and lengths as their description says") {
  const std::string root = real_data();
  if (root.empty()) return;
  struct Set {
    std::string name;
    bool two;
    std::size_t train, test, classes, shortest, longest;
    Parameters more = {};
  };
  for (const Set& set :
       {Set{"splice", false, 3190, 0, 3, 60, 60},
        {"scop-astral20",
         false,
         2901,
         0,
         71,
         20,
         1664,
         {{"label_parts", std::int64_t{3}}, {"smallest_class", std::int64_t{20}}}},
        {"scop-astral20", false, 7943, 0, 7, 20, 1664, {{"label_parts", std::int64_t{1}}}},
        {"protein-location", true, 6916, 2306, 4, 11, 13100},
        {"surnames", false, 20050, 0, 18, 2, 20},
        {"sms-spam", false, 5574, 0, 2, 2, 910},
        {"movie-mr", true, 7108, 3554, 2, 4, 267},
        {"mnist-chaincode", true, 60000, 10000, 10, 7, 130}}) {
    CAPTURE(set.name);
    const std::string stem = root + "/strings/" + set.name;
    Parameters parameters = set.more;
    parameters.emplace_back("path", stem + (set.two ? ".train.tsv" : ".tsv"));
    if (set.two) parameters.emplace_back("test_path", stem + ".test.tsv");
    TestContext context;
    const auto data = make_component<Source>("source/strings", parameters)->open(context);
    const Outline& outline = data->outline();
    CHECK(outline.train_rows == set.train);
    CHECK(outline.test_rows == set.test);
    CHECK(outline.classes.size() == set.classes);
    std::size_t least = outline.layout.width, most = 0;
    for (std::size_t i = 0; i < outline.rows(); ++i) {
      least = std::min(least, data->values(i));
      most = std::max(most, data->values(i));
    }
    if (set.classes != 71) CHECK(least == set.shortest);
    if (set.classes != 71) CHECK(most == set.longest);
    CHECK(outline.layout.width == most);
  }
}

}  // namespace strings_test
