// SPDX-License-Identifier: MIT
// Weights of rows, from a column of a table or a separate file.
#include <algorithm>

#include "tests/sources_testing.hpp"

namespace row_weights_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
using Doubles = std::vector<double>;

Doubles weights(const Dataset& data) { return {data.weights().begin(), data.weights().end()}; }

Parameters weighted(const std::string& file, const std::string& column) {
  return {{"path", file}, {"label", std::string("kind")}, {"weight", column}};
}

const std::string table = "x,w,kind,y\n1,0.5,a,2\n3,2,b,4\n5,0,a,6\n7,1e3,b,8\n";
}  // namespace

TEST_CASE("csv: a column of weights is no value, by name and by number") {
  const TempFolder folder;
  const auto file = folder.write("t.csv", table);
  for (const char* column : {"w", "2", "-3"}) {
    TestContext context;
    const auto source = make_component<Source>("source/csv", weighted(file, column));
    CHECK(source->gives_weights());
    const auto data = open_checked(*source, context);
    CHECK(data->outline().columns == Texts{"x", "y"});
    CHECK(all_rows(*data).values == Floats{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(weights(*data) == Doubles{0.5, 2, 0, 1000});
  }
  const auto without =
      make_component<Source>("source/csv", {{"path", file}, {"label", std::string("kind")}});
  CHECK(!without->gives_weights());
  TestContext context;
  CHECK(without->open(context)->weights().empty());
}

TEST_CASE("csv: weights go with their rows wherever these are put") {
  const TempFolder folder;
  std::string text = "x,w,kind\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i) + "," + std::to_string(i) + ".25," + (i % 2 == 0 ? "a" : "b") + "\n";
  Parameters parameters = weighted(folder.write("t.csv", text), "w");
  parameters.emplace_back("test_fraction", 0.4);
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/csv", parameters), context);
  const FloatMatrix rows = all_rows(*data);
  REQUIRE(data->weights().size() == 60);
  for (std::size_t i = 0; i < 60; ++i) CHECK(data->weights()[i] == double{rows.values[i]} + 0.25);
  CHECK(data->outline().train_rows == 36);
}

TEST_CASE("csv: without a header, where the first line is in doubt, and with a decimal comma") {
  const TempFolder folder;
  TestContext context;
  const auto plain = open_checked(
      *make_component<Source>("source/csv",
                              {{"path", folder.write("a.csv", "1,2,3,0\n4,5,6,1\n7,8,9,1\n")},
                               {"weight", std::string("1")}}),
      context);
  CHECK(weights(*plain) == Doubles{1, 4, 7});
  CHECK(all_rows(*plain).values == Floats{2, 3, 5, 6, 8, 9});
  // With pandas' numbered columns, the line is not a row and its weight is none.
  const auto numbered =
      open_checked(*make_component<Source>(
                       "source/csv",
                       {{"path", folder.write("b.csv", "0,1,2,3\n4,5,6,no\n7,8,9,yes\n1,8,3,no\n")},
                        {"weight", std::string("0")},
                        {"header", std::string("present")}}),
                   context);
  CHECK(weights(*numbered) == Doubles{4, 7, 1});
  const auto comma = open_checked(
      *make_component<Source>("source/csv", {{"path", folder.write("c.csv", "1,5;2;a\n2,25;3;b\n")},
                                             {"weight", std::string("1")},
                                             {"decimal", std::string("comma")}}),
      context);
  CHECK(weights(*comma) == Doubles{1.5, 2.25});
}

TEST_CASE("csv: rows to test on, and new data, need no weights") {
  const TempFolder folder;
  TestContext context;
  Parameters parameters = weighted(folder.write("t.csv", table), "w");
  parameters.emplace_back("test_path", folder.write("u.csv", "kind,y,x\na,20,10\nb,40,30\n"));
  const auto data = open_checked(*make_component<Source>("source/csv", parameters), context);
  CHECK(weights(*data) == Doubles{0.5, 2, 0, 1000, 1, 1});
  CHECK(row_of(*data, 4) == Floats{10, 20});
  for (const char* text :
       {"x,y\n10,20\n", "y,x\n20,10\n", "w,y,x\n-7,20,10\n", "x,w,kind,y\n10,what,a,20\n"}) {
    CAPTURE(std::string(text));
    auto source = make_component<Source>("source/csv", weighted(folder.write("t.csv", table), "w"));
    source->apply_model({folder.write("n.csv", text), Layout::vector(2), {"a", "b"}, {"x", "y"}});
    const auto fresh = source->open(context);
    CHECK(fresh->weights().empty());
    CHECK(all_rows(*fresh).values == Floats{10, 20});
  }
}

TEST_CASE("csv: new data without a header may lack label and weight, not one of them alone") {
  const TempFolder folder;
  const auto rows = [&](const std::string& text) {
    auto source =
        make_component<Source>("source/csv", {{"path", folder.write("t.csv", "1,9,2,0\n3,9,4,1\n")},
                                              {"weight", std::string("2")},
                                              {"header", std::string("absent")}});
    source->apply_model({folder.write("n.csv", text), Layout::vector(2), {"0", "1"}, {}});
    TestContext context;
    return all_rows(*source->open(context)).values;
  };
  CHECK(rows("1,9,2,0\n") == Floats{1, 2});
  CHECK(rows("1,2\n") == Floats{1, 2});
  CHECK_THROWS_WITH(rows("1,2,0\n"),
                    (folder.path() + "/n.csv: line 1: has 3 columns, so that either the label or "
                                     "the weight is missing, and nothing says which; give both or "
                                     "none, or the header that the training file had")
                        .c_str());
}

TEST_CASE("csv: what is no weight, or no column of its own, is refused with its place") {
  const TempFolder folder;
  const auto refused = [&](const std::string& value) {
    const auto file = folder.write("t.csv", "x,w,kind\n1,1,a\n2," + value + ",b\n");
    TestContext context;
    const std::string message =
        message_of(*make_component<Source>("source/csv", weighted(file, "w")), context);
    REQUIRE(message.starts_with(file + ": "));
    return message.substr(file.size() + 2);
  };
  CHECK(refused("-1") == "line 3: the weight in column 2 (w) is '-1'; weights must be 0 or more");
  CHECK(refused("") ==
        "line 3: the weight in column 2 (w) is missing; fill it in: 0 for a row that is not to be "
        "learned from");
  CHECK(refused("NaN").starts_with("line 3: the weight in column 2 (w) is missing; "));
  CHECK(refused("inf").starts_with("line 3: the weight in column 2 (w) is 'inf', which "));
  CHECK(refused("heavy").starts_with("line 3: the weight in column 2 (w) is 'heavy', which "));
  const auto message = [&](Parameters more) {
    more.emplace_back("path", folder.write("t.csv", table));
    TestContext context;
    return message_of(*make_component<Source>("source/csv", more), context);
  };
  const std::string kind = "kind";
  CHECK(message({{"label", kind}, {"weight", kind}})
            .ends_with("'weight' names column 3 (kind), which 'label' names as well; give each its "
                       "own"));
  CHECK(message({{"label", kind}, {"weight", std::string("w")}, {"id", std::string("w")}})
            .ends_with("'weight' names column 2 (w), which 'id' names as well; give each its own"));
  CHECK(message({{"label", kind}, {"weight", std::string("w")}, {"columns", Texts{"x", "w"}}})
            .ends_with("'columns' names column 2 (w), which 'weight' names as well; remove it from "
                       "one of the two"));
  CHECK(message({{"label", kind}, {"weight", std::string("v")}})
            .ends_with("no column 'v' for 'weight'; columns are: x, w, kind, y"));
}

TEST_CASE("arff: an attribute of weights") {
  const TempFolder folder;
  const std::string header =
      "@relation r\n@attribute x numeric\n@attribute w numeric\n@attribute kind {a,b}\n@data\n";
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/arff",
                              weighted(folder.write("t.arff", header + "1,0.5,a\n2,3,b\n"), "w")),
      context);
  CHECK(weights(*data) == Doubles{0.5, 3});
  CHECK(all_rows(*data).values == Floats{1, 2});
  const auto file = folder.write("u.arff", header + "1,0.5,a\n2,?,b\n");
  CHECK(message_of(*make_component<Source>("source/arff", weighted(file, "w")), context) ==
        file +
            ": line 7: the weight in column 2 (w) is missing; fill it in: 0 for a row that is not "
            "to be learned from");
}

TEST_CASE("npy: a file of weights") {
  const TempFolder folder;
  const auto array = [](const std::string& type, const std::string& shape,
                        const std::string& bytes) {
    return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
               bytes);
  };
  const auto x = folder.write("x.npy", array("<f4", "3, 2", bytes_of<float>({1, 2, 3, 4, 5, 6})));
  const auto y = folder.write("y.npy", array("<i4", "3,", bytes_of<int>({0, 1, 0})));
  const auto read = [&](const std::string& file) {
    return make_component<Source>("source/npy", {{"path", x}, {"label", y}, {"weight", file}});
  };
  TestContext context;
  const auto w = folder.write("w.npy", array("<f8", "3,", bytes_of<double>({0.1, 0, 7})));
  const auto source = read(w);
  CHECK(source->gives_weights());
  CHECK(std::ranges::count(source->files(), w) == 1);
  CHECK(weights(*open_checked(*source, context)) == Doubles{0.1, 0, 7});
  const auto whole = folder.write("i.npy", array("<i4", "3,", bytes_of<int>({2, 0, 7})));
  CHECK(weights(*open_checked(*read(whole), context)) == Doubles{2, 0, 7});
  const auto negative = folder.write("n.npy", array("<f8", "3,", bytes_of<double>({1, -2, 1})));
  CHECK(message_of(*read(negative), context) ==
        negative + ": row 1 (from 0): the weight is -2; weights must be finite, and 0 or more");
  const auto few = folder.write("f.npy", array("<f8", "2,", bytes_of<double>({1, 2})));
  CHECK(message_of(*read(few), context) == few + ": header: holds 2 weights, but " + x +
                                               " holds 3 rows; use those that belong together");
}

}  // namespace row_weights_test
