// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tests/sources_testing.hpp"

namespace categories_test {

using namespace semblance;
using namespace semblance::testing;

// Columns of categories in text tables, from the training run to new data.

namespace {

Value text(const char* t) { return std::string(t); }

/// Files of one test.
struct Files {
  TempFolder folder;
  TestContext context;

  std::string file(const std::string& name, const std::string& content) const {
    return folder.write(name, content);
  }
  std::unique_ptr<Source> source(const std::string& train, Parameters more) const {
    more.emplace_back("path", file("train.csv", train));
    return make_component<Source>("source/csv", more);
  }
  std::unique_ptr<Dataset> read(const std::string& train, const Parameters& more) {
    return open_checked(*source(train, more), context);
  }
  /// New data for the model that the training file makes.
  std::unique_ptr<Dataset> predict(const std::string& train, const std::string& fresh,
                                   const Parameters& more) {
    const auto trained = source(train, more)->open(context);
    const Outline& outline = trained->outline();
    auto applied = source(train, more);
    applied->apply_model(
        {file("new.csv", fresh), outline.layout, outline.classes, outline.columns});
    auto data = open_checked(*applied, context);
    CHECK(data->outline().layout == outline.layout);
    return data;
  }
  bool told(const std::string& what) const {
    return std::ranges::any_of(context.lines,
                               [&](const auto& line) { return line.find(what) != line.npos; });
  }
};

const Parameters color = {{"categorical", Texts{"color"}}};
constexpr const char* train = "size,color,class\n1,red,a\n2,blue,b\n3,red,a\n4,green,b\n";

}  // namespace

TEST_CASE("a column of categories becomes one value per category, sorted") {
  Files files;
  const auto data = files.read(train, color);
  CHECK(data->outline().columns == Texts{"size", "color=blue", "color=green", "color=red"});
  CHECK(all_rows(*data).values == Floats{1, 0, 0, 1, 2, 1, 0, 0, 3, 0, 0, 1, 4, 0, 1, 0});
  // For any order of rows and any way of naming the column.
  const char* turned = "size,color,class\n4,green,b\n3,red,a\n2,blue,b\n1,red,a\n";
  CHECK(files.read(turned, {{"categorical", Texts{"2"}}})->outline().columns ==
        data->outline().columns);
  CHECK(files.read(turned, {{"categorical", Texts{"auto"}}})->outline().columns ==
        data->outline().columns);
}

TEST_CASE("categories that are whole numbers are ordered by value and spelled as classes are") {
  Files files;
  const auto data =
      files.read("zip,y\n10,a\n9,b\n+9.0,a\n010,b\n10,a\n", {{"categorical", Texts{"zip"}}});
  CHECK(data->outline().columns == Texts{"zip=010", "zip=10", "zip=9"});
  CHECK(files.read("zip,y\n10,a\n9,b\n+9.0,a\n", {{"categorical", Texts{"zip"}}})
            ->outline()
            .columns == Texts{"zip=9", "zip=10"});
}

TEST_CASE("without a header columns are called by their numbers") {
  Files files;
  const auto data = files.read("1,red,u,a\n2,blue,v,b\n",
                               {{"categorical", Texts{"2", "3"}}, {"header", text("absent")}});
  CHECK(data->outline().columns ==
        Texts{"column 1", "column 2=blue", "column 2=red", "column 3=u", "column 3=v"});
  CHECK(all_rows(*data).values == Floats{1, 0, 1, 1, 0, 2, 1, 0, 0, 1});
  // Only categories: the user must say what the first line is.
  const auto all = files.read("x,red,a\ny,blue,b\n",
                              {{"categorical", Texts{"auto"}}, {"header", text("absent")}});
  CHECK(all->outline().layout == Layout::vector(4));
}

TEST_CASE("found: a column without any number, whatever its name is") {
  Files files;
  const auto data = files.read("a,b,c,class\n1,x,NaN,u\n2,y,3,v\n",
                               {{"categorical", Texts{"auto"}}, {"missing", text("keep")}});
  CHECK(data->outline().columns == Texts{"a", "b=x", "b=y", "c"});
  // The label, the id and ignored columns are not categorical columns.
  const auto with_id =
      files.read("who,note,b,class\nann,12 apples,x,u\nbob,hello,y,v\n",
                 {{"categorical", Texts{"auto"}}, {"id", text("who")}, {"ignore", Texts{"note"}}});
  CHECK(with_id->outline().columns == Texts{"b=x", "b=y"});
  CHECK(with_id->name(1) == "bob");
}

TEST_CASE("categories are those of the training rows, by each way of setting rows aside") {
  Files files;
  const std::string rows = "c,class\nx,a\ny,b\nx,a\nz,b\n";
  const Parameters last = {{"categorical", Texts{"c"}}, {"test_rows", std::int64_t{1}}};
  const std::string file = files.folder.path() + "/train.csv";
  CHECK(message_of(*files.source(rows, last), files.context) ==
        file +
            ": line 5: column 'c' is 'z', which is not in the training rows; correct it, or set "
            "'unknown: none' to read it as none of the categories");
  Parameters none = last;
  none.emplace_back("unknown", text("none"));
  const auto data = files.read(rows, none);
  CHECK(data->outline().columns == Texts{"c=x", "c=y"});
  CHECK(all_rows(*data).values == Floats{1, 0, 0, 1, 1, 0, 0, 0});

  const auto test = files.file("test.csv", "class,c\nb,y\na,w\n");
  const Parameters second = {{"categorical", Texts{"c"}}, {"test_path", test}};
  CHECK(message_of(*files.source(rows, second), files.context) ==
        test +
            ": line 3: column 'c' is 'w', which is not in the training rows; correct it, or set "
            "'unknown: none' to read it as none of the categories");
  Parameters second_none = second;
  second_none.emplace_back("unknown", text("none"));
  CHECK(all_rows(*files.read(rows, second_none)).values ==
        Floats{1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("a drawn split: no category of a test row alone is known") {
  Files files;
  std::string rows = "c,class\n";
  for (int i = 0; i < 40; ++i) rows += "v" + std::to_string(i) + (i % 2 ? ",a\n" : ",b\n");
  const auto data = files.read(
      rows, {{"categorical", Texts{"c"}}, {"test_fraction", 0.25}, {"unknown", text("none")}});
  REQUIRE(data->outline().train_rows == 30);
  CHECK(data->outline().layout == Layout::vector(30));
  const FloatMatrix all = all_rows(*data);
  for (std::size_t i = 0; i < 40; ++i) {
    const auto row = all.view().row_span(i);
    CHECK(std::count(row.begin(), row.end(), 1.0f) == (i < 30 ? 1 : 0));
  }
}

TEST_CASE("a missing category is one of its own, where missing values are kept") {
  Files files;
  const char* gaps = "c,x,class\nred,1,a\n?,2,b\nNA,nan,a\nblue,,b\n";
  const Parameters keep = {{"categorical", Texts{"c"}}, {"missing", text("keep")}};
  const auto data = files.read(gaps, keep);
  CHECK(data->outline().columns == Texts{"c=", "c=blue", "c=red", "x"});
  const auto values = all_rows(*data).values;
  CHECK(Floats(values.begin(), values.begin() + 8) == Floats{0, 0, 1, 1, 1, 0, 0, 2});
  CHECK(std::isnan(values[11]));
  CHECK(std::isnan(values[15]));
  CHECK(files.source(gaps, keep)->keeps_missing());
  CHECK(!files.source(gaps, {})->keeps_missing());
}

TEST_CASE("new data have the model's categories, wherever their columns stand") {
  Files files;
  const Floats wanted = {7, 0, 0, 1, 8, 1, 0, 0};
  for (const Parameters& how :
       {color, Parameters{{"categorical", Texts{"2"}}}, Parameters{{"categorical", Texts{"auto"}}}})
    for (const char* fresh : {"size,color\n7,red\n8,blue\n", "color,size\nred,7\nblue,8\n",
                              "class,color,size\na,red,7\nb,blue,8\n"}) {
      CAPTURE(std::string(fresh));
      const auto data = files.predict(train, fresh, how);
      CHECK(all_rows(*data).values == wanted);
      CHECK(data->outline().columns == Texts{"size", "color=blue", "color=green", "color=red"});
    }
}

TEST_CASE("new data of a model without a header are matched by position") {
  Files files;
  const char* rows = "1,red,a\n2,blue,b\n3,1,b\n4,red,a\n";
  const Parameters second = {{"categorical", Texts{"2"}}};
  CHECK(all_rows(*files.predict(rows, "5,blue\n6,1\n", second)).values ==
        Floats{5, 0, 1, 0, 6, 1, 0, 0});
  CHECK(all_rows(*files.predict(rows, "5,blue,b\n", second)).values == Floats{5, 0, 1, 0});
  CHECK(!files.told("the model has no column names"));
  CHECK(all_rows(*files.predict(rows, "x,y\n5,blue\n", second)).values == Floats{5, 0, 1, 0});
  CHECK(files.told("new.csv: columns are matched by position: the model has no column names"));
}

TEST_CASE("numbers whose names have a '=' stay what they are") {
  Files files;
  const char* rows = "a=b,color,class\n1,red,a\n2,blue,b\n";
  const auto data = files.predict(rows, "color,a=b\nblue,9\n", color);
  CHECK(all_rows(*data).values == Floats{9, 1, 0});
}

TEST_CASE("the values of some rows alone have the categories of all") {
  Files files;
  auto source = files.source(train, color);
  source->keep_only(WantedRows::of({1, 3}));
  const auto data = source->open(files.context);
  CHECK(data->outline().columns == Texts{"size", "color=blue", "color=green", "color=red"});
  FloatMatrix row(1, 4);
  data->read(3, row.view());
  CHECK(row.values == Floats{4, 0, 1, 0});
  CHECK_THROWS_AS(data->read(0, row.view()), Error);
}

TEST_CASE("the columns that are listed are the values, in that order") {
  Files files;
  const char* rows = "a,b,c,class\n1,2,3,x\n4,5,6,y\n";
  const auto data = files.read(rows, {{"columns", Texts{"c", "a"}}});
  CHECK(data->outline().columns == Texts{"c", "a"});
  CHECK(all_rows(*data).values == Floats{3, 1, 6, 4});
  const auto test = files.file("test.csv", "class,new,a,c\nx,0,7,9\n");
  CHECK(all_rows(*files.read(rows, {{"columns", Texts{"c", "a"}}, {"test_path", test}})).values ==
        Floats{3, 1, 6, 4, 9, 7});
  CHECK(all_rows(*files.predict(rows, "z,c,a\n0,9,7\n", {{"columns", Texts{"c", "a"}}})).values ==
        Floats{9, 7});
  const char* plain = "1,2,3,x\n4,5,6,y\n";
  CHECK(all_rows(*files.predict(plain, "7,8,9,x\n", {{"columns", Texts{"3", "1"}}})).values ==
        Floats{9, 7});
  CHECK(all_rows(*files.predict(plain, "9,7\n", {{"columns", Texts{"3", "1"}}})).values ==
        Floats{9, 7});
}

TEST_CASE("decimal commas") {
  Files files;
  const Parameters comma = {{"decimal", text("comma")}};
  CHECK(all_rows(*files.read("x;y;c\n1,5;-2e-1;a\n,5;3;b\n", comma)).values ==
        Floats{1.5f, -0.2f, 0.5f, 3});
  CHECK(all_rows(*files.read("1,5 2,25 a\n3 4 b\n", comma)).values == Floats{1.5f, 2.25f, 3, 4});
  CHECK(all_rows(*files.read("1,5\t2,25\ta\n", comma)).values == Floats{1.5f, 2.25f});
  CHECK(all_rows(*files.read("\"1,5\",\"2,25\",a\n",
                             {{"decimal", text("comma")}, {"separator", text("comma")}}))
            .values == Floats{1.5f, 2.25f});
}

}  // namespace categories_test
