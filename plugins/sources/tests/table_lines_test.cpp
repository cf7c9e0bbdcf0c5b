// SPDX-License-Identifier: MIT
#include "semblance_tables/table_lines.hpp"

#include <cmath>
#include <utility>

#include "tests/sources_testing.hpp"

namespace table_lines_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

// Rows read line by line equal those of a file with the same lines.

namespace {

Value text(const char* t) { return std::string(t); }

/// A model of a training file, and its source as a file and as lines are read.
struct Both {
  Both(const std::string& train, Parameters more) : parameters(std::move(more)) {
    parameters.emplace_back("path", folder.write("train.csv", train));
    const auto source = make_component<Source>("source/csv", parameters);
    const auto trained = source->open(context);
    const Outline& outline = trained->outline();
    model = {"", outline.layout, outline.classes, outline.columns, outline.targets};
  }

  std::string of_file(const std::string& fresh) {
    auto applied = make_component<Source>("source/csv", parameters);
    NewData data = model;
    data.path = folder.write("new.csv", fresh);
    applied->apply_model(data);
    return values_of(all_rows(*applied->open(context)).values);
  }

  std::string of_lines(std::string_view fresh) {
    const auto lines = make_component<Source>("source/csv", parameters)->lines(model);
    FloatMatrix rows(0, model.layout.size());
    std::vector<float> row(model.layout.size());
    bool first = true;
    while (!fresh.empty()) {
      const std::size_t end = std::min(fresh.find('\n'), fresh.size());
      const std::string_view line = fresh.substr(0, end);
      fresh.remove_prefix(std::min(end + 1, fresh.size()));
      if (first && lines->is_preamble(line)) continue;
      if (std::exchange(first, false) && lines->is_header(line)) {
        lines->read_header(line);
        continue;
      }
      lines->read_row(line, row);
      rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
    return values_of(rows.values);
  }

  /// The error message for these lines.
  std::string message(const std::string& fresh) {
    try {
      return of_lines(fresh);
    } catch (const Error& problem) {
      return problem.what();
    }
  }

  /// NaN is equal to itself here.
  static std::string values_of(const std::vector<float>& values) {
    std::string all;
    for (const float value : values)
      all += std::isnan(value) ? "missing " : std::to_string(value) + " ";
    return all;
  }

  TempFolder folder;
  TestContext context;
  Parameters parameters;
  NewData model;
};

constexpr const char* train =
    "id;size;color;width;class\n"
    "p1;1,5;red;2;a\np2;2,5;\"dark; blue\";;b\np3;;red;4;a\np4;-0,5;NA;5;b\n";
const Parameters european = {
    {"separator", text("semicolon")}, {"decimal", text("comma")}, {"id", text("id")},
    {"label", text("class")},         {"missing", text("keep")},  {"categorical", Texts{"color"}}};

}  // namespace

TEST_CASE("lines are read as the file of the same lines") {
  Both both(train, european);
  for (const char* fresh : {
           "id;size;color;width;class\np1;1,5;red;2;a\np2;;\"dark; blue\";N/A;b\n",  // as it was
           "width;color;size\n1;?;<NA>\n2,25;red;None\n",  // without label and id, in another order
           "class;color;id;width;size\n;red;x;TRUE;#N/A\nnew;red;;False;1e1\n",
           "sep=;\nsize;color;width\n1;red;2\n",
           "size;color;width;class\n\"1,5\"; red ;\"2\";\"a \"\"b\"\"\"\n",
       }) {
    CAPTURE(fresh);
    CHECK(both.of_lines(fresh) == both.of_file(fresh));
  }
  CHECK(both.of_lines("size;color;width\n0,5;NA;\n") ==
        "0.500000 1.000000 0.000000 0.000000 missing ");
  Both unnamed("1,2,a\n3,,b\n5,6,a\n", {{"missing", text("keep")}});
  for (const char* fresh : {"1,2,a\n,4,b\n", "1,2\n,nan\n", "x,y,z\n1,2,a\n,4,b\n"}) {
    CAPTURE(fresh);
    CHECK(unnamed.of_lines(fresh) == unnamed.of_file(fresh));
  }
  Both automatic("a,b,class\n1,2,x\n3,4,y\n", {});
  for (const char* fresh : {"b;a\n1;2\n", "b\ta\tclass\n1\t2\tx\n", "a b\n1 2\n",
                            ",b,a,class\nr1,1,2,x\n", "b,a\n\"r1\",1,2\n", "a,b,kind\n1,2,x\n",
                            "\"b\" \"a\" \"class\"\n\"1\" 1 2 \"x\"\n\"2\" \"3\" 4 \"y\"\n",
                            "a b\n7 1 2\n9 3 4\n", "\"b\" \"a\"\n\"r, 1\"  1\t2\n"}) {
    CAPTURE(fresh);
    CHECK(automatic.of_lines(fresh) == automatic.of_file(fresh));
  }
}

TEST_CASE("a category without a number, a number that is one, and one that nobody knows") {
  Parameters more = {{"categorical", Texts{"town"}}, {"label", text("class")}};
  const std::string table = "town,a,class\n1,1,x\n2,2,y\n10,3,x\n";
  Both strict(table, more);
  CHECK(strict.of_lines("town,a\n1.0,5\n") == strict.of_file("town,a\n1.0,5\n"));
  CHECK(strict.message("town,a\n3,5\n") ==
        "the column 'town' has no category '3'; the model knows '1', '2', '10'");
  CHECK(strict.message("town,a\n?,5\n") == "column 'town' has no value; give one, or omit the row");
  more.emplace_back("unknown", text("none"));
  Both open(table, more);
  CHECK(open.of_lines("town,a\n3,5\n") == open.of_file("town,a\n3,5\n"));
  CHECK(open.message("town,a\n?,5\n").find("has no value") != std::string::npos);
}

TEST_CASE("a category may be given as the model has it, value by value") {
  Both both(train, european);
  const std::string expected = both.of_file("size;color;width\n3,5;red;\n");
  CHECK(both.of_lines("3,5;0;0;1;\n") == expected);
  CHECK(both.message("3,5;0;;1;\n") ==
        "column 3 ('color=dark; blue') has no value; give one, or omit the row");
  CHECK(both.of_lines("width;color=red;color=;\"color=dark; blue\";size\n;1;0;0;3,5\n") ==
        expected);
}

TEST_CASE("wrong lines are refused with column and remedy") {
  Both both("a,b,class\n1,2,x\n3,4,y\n", {{"label", text("class")}});
  struct Case {
    const char* lines;
    const char* message;
  };
  const Case cases[] = {
      {"1,\n", "column 2 ('b') has no value; give one, or omit the row"},
      {"b,a\n1,NA\n", "column 'a' has no value; give one, or omit the row"},
      {"b,a\n1,x\n", "column 'a': 'x' is not a number; correct it"},
      {"1,1e99\n", "column 2 ('b'): '1e99' is too large for float32; correct it"},
      {"1,2,3\n", "has 3 values, but the model takes rows of 2"},
      {"1,2\n1\n", "has 1 value, but the model takes rows of 2"},
      {"a,b\n1\n", "has 1 value, but the header has 2 names"},
      {"a\n1\n", "lacks the column 'b', which the model was trained on; add what is missing"},
      {"1,\"2\n", "a quoted field is not closed; correct the quotes"},
      {"1,\"2\"3\n", "text follows a quoted field; double the quotes in it"},
      {"\n", "is empty; give a row"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.lines);
    CHECK(both.message(c.lines) == c.message);
  }
  Both numbers("0,1,class\n5,6,x\n7,8,y\n",
               {{"label", text("class")}, {"header", text("present")}});
  CHECK(numbers.message("1,0\n5,6\n").find("say which") != std::string::npos);
}

TEST_CASE("a file and lines are refused in the same words") {
  const auto same = [](Both& both, const std::string& fresh) {
    CAPTURE(fresh);
    std::string of_file;
    try {
      both.of_file(fresh);
    } catch (const DataError& problem) {
      of_file = problem.what();
    }
    CHECK(of_file.find(": " + both.message(fresh)) != std::string::npos);
  };
  Both keeping(train, european);
  for (const char* rows : {"x;red;2\n", "1;mauve;2\n", "1;red\n", "1;red;2;3\n", "1;red;1e99\n",
                           "\"1;red;2\n", "1;\"red\"x;2\n"})
    same(keeping, std::string("size;color;width\n") + rows);
  for (const char* header : {"size;color\n1;red\n", "size;color;width;width\n1;red;2;3\n",
                             "size;color;width;more\n1;red;2;3\n"})
    same(keeping, header);
  Both dates("when,a,class\n2024-05-31,1,x\n2024-06-01,2,y\n",
             {{"dates", Texts{"when"}}, {"label", text("class")}});
  for (const char* rows : {"soon,1\n", ",1\n", "2024-05-31,\n"})
    same(dates, std::string("when,a\n") + rows);
  Both unnamed("1,2,a\n3,4,b\n", {});
  for (const char* rows : {"1\n", "1,2,3,4\n", "1,2\n1,2,3\n"}) same(unnamed, rows);
}

TEST_CASE("lines may have the targets or lack them, as files may") {
  for (const char* target : {"price", "2", "-2"}) {
    CAPTURE(std::string(target));
    Both both("a,price,b\n1,2,3\n4,5.5,6\n", {{"target", Texts{target}}});
    for (const char* fresh : {"b,a\n3,1\n6,4\n", "price,b,a\n2,3,1\n,6,4\n",
                              "a,b,price\n1,3,2\n4,6,0\n", "1,3\n4,6\n"}) {
      CAPTURE(std::string(fresh));
      CHECK(both.of_lines(fresh) == Both::values_of({1, 3, 4, 6}));
      CHECK(both.of_lines(fresh) == both.of_file(fresh));
    }
  }
  Both numbered("1,2,3\n4,5.5,6\n", {{"target", Texts{"2"}}, {"header", text("absent")}});
  CHECK(numbered.of_lines("1,9,3\n") == Both::values_of({1, 3}));
  CHECK(numbered.of_file("1,9,3\n") == Both::values_of({1, 3}));
  CHECK(numbered.of_lines("1,3\n") == Both::values_of({1, 3}));
}

}  // namespace table_lines_test
