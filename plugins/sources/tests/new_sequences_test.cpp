// SPDX-License-Identifier: MIT
#include "semblance/new_symbols.hpp"
#include "tests/sources_testing.hpp"

namespace new_sequences_test {

using namespace semblance;
using namespace semblance::testing;

// A trained model of series or strings is applied to new data.

namespace {

Value text(const std::string& t) { return t; }

std::unique_ptr<Dataset> applied(std::unique_ptr<Source> source, const NewData& data) {
  TestContext context;
  source->apply_model(data);
  auto opened = open_checked(*source, context);
  CHECK(opened->outline().train_rows == 0);
  CHECK(opened->outline().layout == data.layout);
  return opened;
}

std::string problem(std::unique_ptr<Source> source, const NewData& data) {
  TestContext context;
  try {
    source->apply_model(data);
    source->open(context);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string array(const std::string& shape, const Floats& values) {
  return npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes_of(values));
}

}  // namespace

TEST_CASE("new series: of any length, with the model's channels, classes may be others") {
  const TempFolder folder;
  const auto series = [&](const Parameters& more = {}) {
    Parameters all = {{"path", text("/gone.tsv")}, {"test_fraction", 0.5}};
    all.insert(all.end(), more.begin(), more.end());
    return make_component<Source>("source/ucr", all);
  };
  const NewData one{
      folder.write("new.tsv", "7\t1\t2\n8\t3\n"), Layout::sequence(4, 1), {"7", "9"}, {}};
  const auto data = applied(series(), one);
  CHECK(row_of(*data, 1) == Floats{3});
  CHECK(data->outline().classes == Texts{"7", "8"});
  CHECK(labels(*data) == Labels{0, 1});
  CHECK(labels(*applied(series({{"labels", text("absent")}}),
                        {folder.write("bare.tsv", "1\t2\n"), Layout::sequence(2, 1), {}, {}})) ==
        Labels{-1});
  const auto long_one = folder.write("long.tsv", "7\t1\t2\n7\t1\t2\t3\n");
  const auto longer = applied(series(), {long_one, Layout::sequence(2, 1), {}, {}});
  CHECK(row_of(*longer, 1) == Floats{1, 2, 3});
  CHECK(
      problem(series({{"longest", std::int64_t{2}}}), {long_one, Layout::sequence(2, 1), {}, {}}) ==
      long_one +
          ": line 2: the series has 3 steps, more than 'longest: 2' allows; raise it or cut the "
          "series");
  const auto two = folder.write("two.ts", "@classLabel false\n@data\n1,2:3,4\n");
  CHECK(labels(*applied(series(), {two, Layout::sequence(2, 2), {}, {}})) == Labels{-1});
  CHECK(problem(series(), {two, Layout::sequence(2, 3), {}, {}}) ==
        two +
            ": line 3: the series has 2 channels, but the model was trained on 3; give series "
            "with the same channels");
}

TEST_CASE("new series whose file lacks the classes are not read a step too short") {
  const TempFolder folder;
  const auto ucr = [](const char* labels) {
    return make_component<Source>("source/ucr",
                                  {{"path", text("/gone.tsv")}, {"labels", text(labels)}});
  };
  const auto data = [&](const std::string& lines) {
    return NewData{folder.write("new.tsv", lines), Layout::sequence(3, 1), {"1", "2"}, {}};
  };
  // Series may end in NaN, and begin with what is a class.
  const NewData bare = data("1\t8.5\t3\n4.5\t6\tNaN\n");
  CHECK(problem(ucr("present"), bare) ==
        bare.path +
            ": each line has one value too few for a label and a series as long as the longest one "
            "trained on; set 'labels: absent' if lines begin with the first step, and 'labels: "
            "present' if with a label");
  CHECK(row_of(*applied(ucr("absent"), bare), 0) == Floats{1, 8.5F, 3});
  NewData meant = bare;
  meant.given = {"labels"};
  CHECK(row_of(*applied(ucr("present"), meant), 0) == Floats{8.5F, 3});
  for (const char* labelled : {"1\t8\t3\n2\t6\t5\n", "?\t8\t3\n", "4\t6\t5\t7\n", "4\t6\n"})
    CHECK(problem(ucr("present"), data(labelled)) == "no error");
}

TEST_CASE("a folder as new data: all series of its two files") {
  const TempFolder folder;
  folder.write("S/S_TRAIN.tsv", "1\t2\t3\n");
  folder.write("S/S_TEST.tsv", "1\t4\t5\n6\t7\t8\n");
  const std::string path = folder.path() + "/S";
  CHECK(applied(make_component<Source>("source/ucr", {{"path", text("/gone")}}),
                {path, Layout::sequence(2, 1), {}, {}})
            ->outline()
            .test_rows == 3);
  CHECK(applied(make_component<Source>("source/ucr", {{"path", path}}),
                {"", Layout::sequence(2, 1), {}, {}})
            ->outline()
            .test_rows == 3);
}

TEST_CASE("new strings: of any length and alphabet, unless parameters say otherwise") {
  const TempFolder folder;
  const Layout layout = Layout::string(5, "ACGT");
  const auto strings = [&](const Parameters& more = {}) {
    Parameters all = {{"path", text("/gone.tsv")}, {"smallest_class", std::int64_t{9}}};
    all.insert(all.end(), more.begin(), more.end());
    return make_component<Source>("source/strings", all);
  };
  const auto good = applied(strings(), {folder.write("good.tsv", "x\tTTA\n"), layout, {"x"}, {}});
  CHECK(row_of(*good, 0) == Floats{3, 3, 0});
  CHECK(labels(*applied(strings(), {folder.write("bare.txt", "GA\nC\n"), layout, {}, {}})) ==
        Labels{-1, -1});
  const auto other = folder.write("other.tsv", "x\tAC\ny\tANT\n");
  CHECK(row_of(*applied(strings(), {other, layout, {}, {}}), 1) ==
        Floats{0, new_symbol_value(U'N'), 3});
  CHECK(problem(strings({{"alphabet", text("ACGT")}}), {other, layout, {}, {}}) ==
        other +
            ": line 2: symbol 2 of the string, 'N' (U+004E), is not in 'alphabet'; correct it, or "
            "set 'unknown: drop' to drop such symbols");
  const auto dropped = applied(strings({{"unknown", text("drop")}}), {other, layout, {}, {}});
  CHECK(row_of(*dropped, 1) == Floats{0, 3});
  const auto longer = folder.write("long.fa", ">x\nACG\nTAC\n");
  CHECK(row_of(*applied(strings(), {longer, layout, {}, {}}), 0) == Floats{0, 1, 2, 3, 0, 1});
  CHECK(problem(strings({{"longest", std::int64_t{5}}}), {longer, layout, {}, {}}) ==
        longer +
            ": line 1: the string has 6 symbols, more than 'longest: 5' allows; raise it or cut "
            "the string");
  CHECK(labels(*applied(strings({{"label", text("2")}}),
                        {folder.write("bare.fa", ">x\nACG\n"), layout, {}, {}})) == Labels{-1});
}

TEST_CASE("new arrays of sequences: channels, lengths of their own") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("2, 3, 1", {1, 2, 3, 4, 5, 6}));
  const auto n = folder.write(
      "n.npy",
      npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", bytes_of<int>({1, 2})));
  const auto arrays = [&](const Parameters& more = {}) {
    Parameters all = {{"path", text("/gone")}, {"layout", text("sequence")}};
    all.insert(all.end(), more.begin(), more.end());
    return make_component<Source>("source/npy", all);
  };
  NewData data{x, Layout::sequence(3, 1), {}, {}};
  CHECK(row_of(*applied(arrays(), data), 1) == Floats{4, 5, 6});
  CHECK(row_of(*applied(arrays(), {x, Layout::sequence(2, 1), {}, {}}), 1) == Floats{4, 5, 6});
  CHECK(problem(arrays(), {x, Layout::sequence(3, 2), {}, {}}) ==
        x + ": header: holds sequences of 1 channels, but the model was trained on 2; give "
            "sequences with the same channels");
  CHECK(problem(arrays({{"lengths", n}}), data) ==
        "the model was trained on sequences with 'lengths'; give those of the new rows: --set "
        "nodes.NODE.lengths=new_lengths.npy");
  data.given = {"lengths"};
  CHECK(row_of(*applied(arrays({{"lengths", n}}), data), 1) == Floats{4, 5});
}

TEST_CASE("what a model fixes cannot be given for new data") {
  const auto given = [](std::unique_ptr<Source> source, const std::string& name) {
    NewData data{"", Layout::sequence(3, 1), {}, {}};
    data.given = {name};
    return problem(std::move(source), data);
  };
  CHECK(given(make_component<Source>(
                  "source/strings", {{"path", text("/gone")}, {"smallest_class", std::int64_t{5}}}),
              "smallest_class")
            .starts_with("'smallest_class' says which rows a training run uses"));
}

}  // namespace new_sequences_test
