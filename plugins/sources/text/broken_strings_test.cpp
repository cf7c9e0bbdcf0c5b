// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"

namespace broken_strings_test {

using namespace semblance;
using namespace semblance::testing;

// Each case: the defect, the file, and the whole message after the file's name.

namespace {

Value text(const std::string& t) { return t; }

struct Broken {
  std::string name;
  std::string content;
  std::string message;
  Parameters more = {};
};

void check_all(const std::vector<Broken>& table) {
  for (const Broken& b : table) {
    CAPTURE(b.name);
    const TempFolder folder;
    const std::string file = folder.write(b.name, b.content);
    auto parameters = b.more;
    parameters.emplace_back("path", file);
    TestContext context;
    CHECK(message_of(*make_component<Source>("source/strings", parameters), context) ==
          file + ": " + b.message);
  }
}

}  // namespace

TEST_CASE("broken tables of strings") {
  check_all({
      {"empty.tsv", "\n\r\n", "holds no strings; check that it is the right file"},
      {"header.tsv", "label\ttext\n", "holds no strings; check that it is the right file"},
      {"no_tab.tsv", "x\tab\nabc\n",
       "line 2: has no tab between label and string; write the label, a tab and the string"},
      {"first.tsv", "abc\n",
       "line 1: has no tab between label and string; write the label, a tab and the string"},
      {"fields.tsv", "x\tab\ny\tab\tc\n",
       "line 2: has 3 fields separated by tabs, but line 1 has 2; every row needs the same number"},
      {"no_string.tsv", "x\tab\ny\t\n",
       "line 2: the string is empty; fill it in or remove the row"},
      {"no_label.tsv", "\tab\n",
       "line 1: the label is empty; fill it in, or set 'missing_labels: drop' to drop such rows"},
      {"encoding.tsv", "x\ta\xc3(\n",
       "line 1: the string is not UTF-8 text; save the file as UTF-8"},
      {"label.tsv", "\xff\tab\n", "line 1: the label is not UTF-8 text; save the file as UTF-8"},
      {"return.tsv", "x\ta\rb\n",
       "line 1: holds a carriage return (CR) before its end; save the file with LF or CRLF line "
       "ends"},
      {"binary.tsv", std::string("x\ta\0\n", 5),
       "line 1: holds a NUL byte; this is not a text file"},
      {"outside.tsv",
       "x\tACGT\ny\tACNT\n",
       "line 2: symbol 3 of the string, 'N' (U+004E), is not in 'alphabet'; correct it, or set "
       "'unknown: drop' to drop such symbols",
       {{"alphabet", text("ACGT")}}},
      {"dropped.tsv",
       "x\tACGT\ny\tNN\n",
       "line 2: no symbol of the string is in 'alphabet', so nothing is left of it; remove the row",
       {{"alphabet", text("ACGT")}, {"unknown", text("drop")}}},
      {"long.tsv",
       "x\tab\ny\tabc\n",
       "line 2: the string has 3 symbols, more than 'longest: 2' allows; raise it or cut the "
       "string",
       {{"longest", std::int64_t{2}}}},
      {"column.tsv",
       "x\tab\n",
       "line 1: no column 3 for 'text': the line has 2 fields; columns count from 1, or "
       "from -1 at the end",
       {{"text", text("3")}}},
      {"name.tsv",
       "id\tword\n1\tab\n",
       "line 1: no column 'kind' for 'label'; columns are: id, word",
       {{"label", text("kind")}}},
      {"absent.tsv",
       "x\tab\n",
       "line 1: column 'kind' of 'label' is a name, but the file is read without a header; give "
       "the "
       "column's number",
       {{"label", text("kind")}, {"header", text("absent")}}},
      {"same.tsv",
       "x\tab\n",
       "line 1: 'label' names column 1, which 'text' names as well; give each its own",
       {{"text", text("1")}}},
      {"parts.tsv",
       "a.1\tx\nb\ty\n",
       "line 2: its label 'b' has 1 part, but 'label_parts' asks for 2; lower it or correct "
       "'label_separator'",
       {{"label_parts", std::int64_t{2}}}},
      {"nothing.tsv",
       ".1\tx\n",
       "line 1: nothing is left of its label '.1' before the first separator; correct it, or "
       "'label_separator'",
       {{"label_parts", std::int64_t{1}}}},
      {"rare.tsv",
       "a\tx\nb\ty\n",
       "no class has 2 rows; lower 'smallest_class' or correct 'label_parts'",
       {{"smallest_class", std::int64_t{2}}}},
  });
}

TEST_CASE("broken FASTA") {
  check_all({
      {"empty.fa", ";nothing\n", "holds no strings; check that it is the right file"},
      {"start.fa", "ACGT\n",
       "line 1: holds a sequence before the first header; FASTA begins with '>'"},
      {"no_sequence.fa", ">a\n>b\nAC\n",
       "line 1: the string is empty; fill it in or remove the row"},
      {"last.fa", ">a\nAC\n>b\n", "line 3: the string is empty; fill it in or remove the row"},
      {"blank.fa", ">a\nAC GT\n",
       "line 2: holds a blank within the sequence; write its symbols without blanks"},
      {"words.fa",
       ">a b\nAC\n>c\nAC\n",
       "line 3: the header has 1 word, but the label is word 2 of it; correct the header or "
       "'label'",
       {{"label", text("2")}}},
      {"bare.fa", ">\nAC\n",
       "line 1: the header has 0 words, but the label is word 1 of it; correct the header or "
       "'label'"},
      {"named.fa",
       ">a\nAC\n",
       "line 1: 'label: kind' is a name, but words of a FASTA header have none; give the word's "
       "number, counted from 1",
       {{"label", text("kind")}}},
      {"outside.fa",
       ">a\nAC\nGX\n",
       "line 3: symbol 4 of the string, 'X' (U+0058), is not in 'alphabet'; correct it, or set "
       "'unknown: drop' to drop such symbols",
       {{"alphabet", text("ACGT")}}},
      {"encoding.fa",
       ">\xff a\nAC\n",
       "line 1: the header is not UTF-8 text; save the file as UTF-8",
       {{"label", text("2")}}},
  });
}

TEST_CASE("strings of a test file whose class was not trained") {
  const TempFolder folder;
  const auto train = folder.write("train.tsv", "x\tab\n");
  const auto test = folder.write("test.tsv", "x\tab\nz\tab\n");
  TestContext context;
  CHECK(message_of(
            *make_component<Source>("source/strings", {{"path", train}, {"test_path", test}}),
            context) == test +
                            ": line 2: its class 'z' has no training rows; check the files, or set "
                            "'new_test_classes: true'");
}

TEST_CASE("parameters of strings that do not go together") {
  const Parameters path = {{"path", text("x")}};
  const auto with = [&](const Parameters& more) {
    Parameters all = path;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  CHECK_THROWS_WITH_AS(make_component<Source>("source/strings", with({{"alphabet", text("ABA")}})),
                       "'alphabet' has the symbol 'A' (U+0041) twice; give each symbol once",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/strings", with({{"alphabet", text("A\xff")}})),
      "'alphabet' is not UTF-8 text; save the pipeline as UTF-8", Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/strings", with({{"label_separator", text("")}})),
      "'label_separator' is empty; give at least one symbol", Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/strings",
                             with({{"label", text("none")}, {"smallest_class", std::int64_t{2}}})),
      "'label_parts' and 'smallest_class' need labels, but 'label' is none; remove them", Error);
}

TEST_CASE("strings that are more than memory") {
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "x\tabcdefghijklmnopqrstuvwxyz\n";
  const TempFolder folder;
  const auto file = folder.write("bomb.tsv.xz", lines);
  TestContext context;
  context.budget = std::size_t{100} << 10;
  check_message(message_of(*make_component<Source>("source/strings", {{"path", file}}), context),
                file,
                "the strings so far need 1 MiB, more than the 1 MiB of memory left; allow more "
                "with --memory, or use fewer rows");
}

}  // namespace broken_strings_test
