// SPDX-License-Identifier: MIT
#include <filesystem>

#include "tests/sources_testing.hpp"
#include "text/terms.hpp"

namespace text_source_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

Texts terms_of(const std::string& text, const TermFormat& format) {
  Texts all;
  Terms(format).for_each(text, [&](std::string_view term) { all.emplace_back(term); });
  return all;
}

/// "column x count" of a row's terms, in their order.
std::string row_text(const Dataset& data, std::size_t row) {
  const FloatMatrix rows = all_rows(data);
  const MatrixView view = std::as_const(rows).view();
  std::string text;
  for (std::size_t k = 0; k < view.size(row); ++k)
    text += (k > 0 ? ", " : "") + data.outline().columns.at(view.columns_of(row)[k]) + " x " +
            std::to_string(static_cast<int>(view.row(row)[k]));
  return text;
}

Value text(const char* t) { return std::string(t); }

constexpr const char* table =
    "ham\tA good day, a good day!\nspam\tBuy Zürich's day-trip\nham\tgood GOOD\n";

}  // namespace

TEST_CASE("words and runs of them") {
  TermFormat words;
  CHECK(terms_of("The cat's 3rd_hat, a  ÉTÉ\n", words) == Texts{"the", "cat", "3rd_hat", "été"});
  words.letters = 1;
  CHECK(terms_of("I see a cat", words) == Texts{"i", "see", "a", "cat"});
  words.longest = 2;
  words.letters = 2;
  CHECK(terms_of("I see a cat here", words) == Texts{"see", "see cat", "cat", "cat here", "here"});
  words.shortest = 2;
  words.keep_case = true;
  CHECK(terms_of("See Cat here", words) == Texts{"See Cat", "Cat here"});
  CHECK(terms_of(" .,; ", words).empty());
  CHECK(terms_of("", words).empty());
}

TEST_CASE("characters and runs of them") {
  TermFormat characters{false, 2, 3};
  CHECK(terms_of(" aB \t\n cé ", characters) == Texts{"ab", "ab ", "b ", "b c", " c", " cé", "cé"});
  characters = {false, 1, 1};
  CHECK(terms_of("x y", characters) == Texts{"x", " ", "y"});
  CHECK(terms_of("  ", characters).empty());
}

TEST_CASE("a table of labels and texts becomes counts of its words") {
  const TempFolder folder;
  const auto file = folder.write("a.tsv", table);
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/text", {{"path", file}, {"least_rows", std::int64_t{1}}}),
      context);
  CHECK(data->outline().columns == Texts{"buy", "day", "good", "trip", "zürich"});
  CHECK(data->outline().layout == Layout::sparse(5));
  CHECK(data->outline().classes == Texts{"ham", "spam"});
  CHECK(row_text(*data, 0) == "day x 2, good x 2");
  CHECK(row_text(*data, 1) == "buy x 1, day x 1, trip x 1, zürich x 1");
  CHECK(row_text(*data, 2) == "good x 2");
  // By default, words of a single row are skipped.
  const auto usual =
      open_checked(*make_component<Source>("source/text", {{"path", file}}), context);
  CHECK(usual->outline().columns == Texts{"day", "good"});
  const auto one = open_checked(
      *make_component<Source>("source/text", {{"path", file}, {"most_columns", std::int64_t{1}}}),
      context);
  // Both have two rows: the first of them in the order of their bytes.
  CHECK(one->outline().columns == Texts{"day"});
}

TEST_CASE("the vocabulary is that of training rows") {
  const TempFolder folder;
  const auto train = folder.write("train.tsv", "a\tone two\nb\ttwo three\n"),
             test = folder.write("test.tsv", "a\ttwo four four one\n");
  TestContext context;
  const std::int64_t one = 1;
  const auto data =
      open_checked(*make_component<Source>(
                       "source/text", {{"path", train}, {"test_path", test}, {"least_rows", one}}),
                   context);
  CHECK(data->outline().columns == Texts{"one", "three", "two"});
  CHECK(row_text(*data, 2) == "one x 1, two x 1");
  const auto three = folder.write("three.tsv", "a\tone two\nb\tone\na\ttwo three\n");
  const auto aside =
      open_checked(*make_component<Source>(
                       "source/text", {{"path", three}, {"test_rows", one}, {"least_rows", one}}),
                   context);
  CHECK(aside->outline().columns == Texts{"one", "two"});
  CHECK(row_text(*aside, 2) == "two x 1");
}

TEST_CASE("documents without a term that has a column are counted") {
  const TempFolder folder;
  const auto train = folder.write("train.tsv", "a\tone two\nb\ttwo one\n"),
             test = folder.write("test.tsv", "a\t. , ;\na\tthree\nb\tone four\nb\tfour three\n");
  TestContext context;
  open_checked(*make_component<Source>("source/text", {{"path", train}, {"test_path", test}}),
               context);
  CHECK(context.lines.front() ==
        train +
            ": 2 of 6 documents have no term that has a column, so that all of their counts "
            "are 0; the first: row 1 of " +
            test);
}

TEST_CASE("a folder of documents, and a model's terms for new ones") {
  const TempFolder folder;
  folder.write("docs/rec.autos/2", "fast fast car");
  folder.write("docs/rec.autos/10", "a car");
  folder.write("docs/sci.space/1", "fast rocket");
  folder.write("docs/.hidden/1", "no");
  folder.write("new/x.txt", "rocket car moon car");
  TestContext context;
  const std::string docs = folder.path() + "/docs";
  auto source =
      make_component<Source>("source/text", {{"path", docs}, {"least_rows", std::int64_t{1}}});
  const auto data = open_checked(*source, context);
  CHECK(source->files().size() == 3);
  CHECK(data->outline().classes == Texts{"rec.autos", "sci.space"});
  CHECK(data->outline().columns == Texts{"car", "fast", "rocket"});
  CHECK(data->name(0) == "rec.autos/10");
  CHECK(row_text(*data, 1) == "car x 1, fast x 2");

  source->apply_model({folder.path() + "/new", data->outline().layout, data->outline().classes,
                       data->outline().columns});
  const auto fresh = source->open(context);
  CHECK(fresh->outline().test_rows == 1);
  CHECK(fresh->labels()[0] == -1);
  CHECK(row_text(*fresh, 0) == "car x 2, rocket x 1");
}

TEST_CASE("columns by hash are the same for a model") {
  const TempFolder folder;
  const auto file = folder.write("a.tsv", table);
  TestContext context;
  auto source =
      make_component<Source>("source/text", {{"path", file}, {"hashed_columns", std::int64_t{64}}});
  const auto data = open_checked(*source, context);
  CHECK(data->outline().layout == Layout::sparse(64));
  CHECK(data->outline().columns.empty());
  const FloatMatrix rows = all_rows(*data);
  CHECK(rows.values.size() >= 5);
  source->apply_model({file, Layout::sparse(64), {"ham", "spam"}, {}});
  CHECK(all_rows(*source->open(context)).columns == rows.columns);
}

TEST_CASE("faults of documents are reported with their file") {
  const TempFolder folder;
  const auto path = folder.path();
  TestContext context;
  const auto said = [&](Parameters parameters) {
    return message_of(*make_component<Source>("source/text", parameters), context);
  };
  folder.write("bad/a/1", "caf\xe9");
  CHECK(said({{"path", path + "/bad"}}) ==
        path +
            "/bad/a/1: is not UTF-8 text; save it as UTF-8, or set 'encoding: latin1' if that is "
            "what the files are");
  auto latin = make_component<Source>(
      "source/text",
      {{"path", path + "/bad"}, {"encoding", text("latin1")}, {"least_rows", std::int64_t{1}}});
  CHECK(latin->open(context)->outline().columns == Texts{"café"});
  folder.write("flat/1.txt", "words of a text");
  CHECK(said({{"path", path + "/flat"}}) ==
        path +
            "/flat: has no folder for each class, so its documents have no labels; set 'label: "
            "none' if nothing learns from classes, or 'role: test' if they are to be predicted");
  std::filesystem::create_directory(path + "/empty");
  CHECK(said({{"path", path + "/empty"}}) == path +
                                                 "/empty: holds no documents; it must have a "
                                                 "folder for each class, with one file per text");
  const auto rare = folder.write("rare.tsv", "a\tone\nb\ttwo\n");
  CHECK(said({{"path", rare}}) ==
        rare +
            ": no term occurs in 2 training rows; lower 'least_rows' or 'letters', or check that "
            "these are texts");
  CHECK(said({{"path", rare}, {"encoding", text("latin1")}}) ==
        rare + ": is a table, which must be UTF-8 text; 'encoding' is for folders of documents");
  folder.write("test/c/1", "one");
  folder.write("docs/a/1", "one two");
  folder.write("docs/b/1", "one two");
  CHECK(said({{"path", path + "/docs"}, {"test_path", path + "/test"}}) ==
        path +
            "/test/c/1: its class 'c' has no training rows; check the files, or set "
            "'new_test_classes: true'");
}

TEST_CASE("parameters of texts that do not go together") {
  const auto with = [](Parameters more) {
    more.emplace_back("path", std::string("x"));
    return more;
  };
  CHECK_THROWS_WITH_AS(make_component<Source>("source/text", with({{"shortest", std::int64_t{2}}})),
                       "'shortest' is 2, more than 'longest', 1; lower it or raise 'longest'",
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/text", with({{"hashed_columns", std::int64_t{8}},
                                                  {"most_columns", std::int64_t{8}}})),
      "'hashed_columns' and 'most_columns' exclude each other: one takes all "
      "terms, the other those "
      "of a vocabulary; remove one",
      Error);
  auto source = make_component<Source>("source/text", with({}));
  CHECK_THROWS_WITH_AS(
      source->apply_model({"y", Layout::sparse(3), {}, {}, {}, {"longest"}}),
      "'longest' is part of what the model knows and cannot be given for new data; "
      "omit it, or train a model with it",
      Error);
}

}  // namespace text_source_test
