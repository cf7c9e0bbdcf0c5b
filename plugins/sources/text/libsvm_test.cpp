// SPDX-License-Identifier: MIT
#include "semblance/sparse_testing.hpp"
#include "tests/sources_testing.hpp"

namespace libsvm_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("sparse rows become dense, labels classes") {
  const TempFolder folder;
  const auto file =
      folder.write("a.txt.gz", "+1 1:0.5 3:-2 # a comment\n\n-1\n1.0 2:1e-3  4:7 \n# only this\n");
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/libsvm", {{"path", file}}), context);
  CHECK(data->outline().layout == Layout::vector(4));
  CHECK(data->outline().classes == std::vector<std::string>{"-1", "1"});
  CHECK(labels(*data) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(all_rows(*data).values == std::vector<float>{0.5f, 0, -2, 0, 0, 0, 0, 0, 0, 1e-3f, 0, 7});
}

TEST_CASE("sparse rows that do not fit into memory are read all the same") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += i % 2 == 0 ? "a" : "b";
    for (int k = 1; k <= 100; ++k)
      text += ' ' + std::to_string(k * 3 + i % 3) + ':' + std::to_string((i + k) % 7);
    text += '\n';
  }
  const auto file = folder.write("a.txt", text);
  const Parameters sparse = {
      {"path", file}, {"rows", std::string("sparse")}, {"test_fraction", 0.2}};
  TestContext roomy, tight;
  // The rows take 2 MiB, their numbers and labels a tenth of one.
  tight.budget = std::size_t{512} << 10;
  const auto all = open_checked(*make_component<Source>("source/libsvm", sparse), roomy);
  const auto some = open_checked(*make_component<Source>("source/libsvm", sparse), tight);
  CHECK(all->bytes() > std::size_t{2} << 20);
  CHECK(some->bytes() < tight.budget);
  CHECK(labels(*some) == labels(*all));
  const FloatMatrix expected = all_rows(*all), found = all_rows(*some);
  CHECK(found.values == expected.values);
  CHECK(found.columns == expected.columns);
  CHECK(found.offsets == expected.offsets);
}

TEST_CASE("rows that are kept sparse") {
  const TempFolder folder;
  const auto file = folder.write("a.txt", "b 1:0.5 3:-2\na\nb 2:0 5:7\na 4:1\n");
  const Parameters sparse = {{"path", file}, {"rows", std::string("sparse")}};
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/libsvm", sparse), context);
  CHECK(data->outline().layout == Layout::sparse(5));
  const FloatMatrix rows = all_rows(*data);
  // A zero that is written is none.
  CHECK(rows.values == std::vector<float>{0.5F, -2, 7, 1});
  CHECK(rows.columns == std::vector<std::uint32_t>{0, 2, 4, 3});
  CHECK(rows.offsets == std::vector<std::size_t>{0, 2, 2, 3, 4});
  CHECK(labels(*data) == std::vector<std::int32_t>{1, 0, 1, 0});

  // In another order and with other test samples, they equal those of dense rows.
  Parameters drawn = sparse, dense = {{"path", file}};
  for (Parameters* parameters : {&drawn, &dense}) parameters->emplace_back("test_fraction", 0.5);
  const FloatMatrix filled =
      all_rows(*open_checked(*make_component<Source>("source/libsvm", dense), context));
  const auto split = open_checked(*make_component<Source>("source/libsvm", drawn), context);
  const FloatMatrix kept = all_rows(*split);
  CHECK(dense_of(kept.view()).values == filled.values);
  CHECK(split->outline().test_rows == 2);
}

TEST_CASE("new rows are as sparse, and as wide, as those that a model was trained on") {
  const TempFolder folder;
  const auto file = folder.write("new", "2:1 4:3\n");
  TestContext context;
  auto source = make_component<Source>("source/libsvm", {{"path", file}});
  source->apply_model({file, Layout::sparse(9), {"a", "b"}, {}});
  const auto data = source->open(context);
  CHECK(data->outline().layout == Layout::sparse(9));
  CHECK(all_rows(*data).columns == std::vector<std::uint32_t>{1, 3});
  auto narrow = make_component<Source>("source/libsvm", {{"path", file}});
  narrow->apply_model({file, Layout::sparse(3), {"a", "b"}, {}});
  CHECK(message_of(*narrow, context).find("holds the index 4, larger than 3, the last one") !=
        std::string::npos);
}

TEST_CASE("the test file may know more columns, and the dimension may be given") {
  const TempFolder folder;
  const auto a = folder.write("a", "1 1:1\n2 2:1\n"), b = folder.write("b", "2 5:1\n");
  TestContext context;
  const auto both = open_checked(
      *make_component<Source>("source/libsvm", {{"path", a}, {"test_path", b}}), context);
  CHECK(both->outline().layout == Layout::vector(5));
  CHECK(both->outline().train_rows == 2);
  const auto wide =
      make_component<Source>("source/libsvm", {{"path", a}, {"dimension", std::int64_t{9}}})
          ->open(context);
  CHECK(wide->outline().layout == Layout::vector(9));
}

TEST_CASE("rows without labels are read for testing") {
  const TempFolder folder;
  const auto file = folder.write("a", "1:1 2:2\n2:3\n");
  TestContext context;
  const auto data = open_checked(
      *make_component<Source>("source/libsvm", {{"path", file}, {"role", std::string("test")}}),
      context);
  CHECK(data->outline().test_rows == 2);
  CHECK(data->outline().classes.empty());
  CHECK(all_rows(*data).values == std::vector<float>{1, 2, 0, 3});
}

TEST_CASE("indices count from 1, from 0, or as the files say") {
  const TempFolder folder;
  const auto zero = folder.write("zero", "1 0:5 2:7\n2 1:6\n"),
             one = folder.write("one", "2 1:9\n");
  TestContext context;
  const auto read = [&](const std::string& file, const char* first, const std::string& test = "") {
    Parameters parameters = {{"path", file}, {"first_index", std::string(first)}};
    if (!test.empty()) parameters.emplace_back("test_path", test);
    return all_rows(*open_checked(*make_component<Source>("source/libsvm", parameters), context))
        .values;
  };
  CHECK(read(zero, "0") == Floats{5, 0, 7, 0, 6, 0});
  CHECK(read(zero, "automatic") == Floats{5, 0, 7, 0, 6, 0});
  CHECK(read(one, "0") == Floats{0, 9});
  CHECK(read(one, "automatic") == Floats{9});
  // Both files of a run count in one way.
  CHECK(read(zero, "automatic", one) == Floats{5, 0, 7, 0, 6, 0, 0, 9, 0});
  CHECK_THROWS_WITH_AS(make_component<Source>("source/libsvm", {{"path", zero}})->open(context),
                       doctest::Contains("set 'first_index: 0'"), DataError);
}

TEST_CASE("an index far beyond all others is reported with its line") {
  const TempFolder folder;
  const auto file = folder.write("a", "1 1:1 2:4\n2 3000000:1\n1 2:7\n");
  TestContext context;
  CHECK(make_component<Source>("source/libsvm", {{"path", file}})
            ->open(context)
            ->outline()
            .layout.size() == 3000000);
  REQUIRE(context.lines.size() == 1);
  CHECK(context.lines[0].find("the index 3000000 in line 2 of " + file +
                              " makes rows of 3000000 values, of which only 4 are given") !=
        std::string::npos);
}

TEST_CASE("rows that are mostly zeros are advised to be sparse, before they take memory") {
  const TempFolder folder;
  const auto file = folder.write("a", "1 1:1 2:4\n2 30000000:1\n");
  TestContext context;
  context.budget = std::size_t{1} << 20;
  CHECK_THROWS_AS(make_component<Source>("source/libsvm", {{"path", file}})->open(context), Error);
  REQUIRE(!context.lines.empty());
  CHECK(context.lines[0] ==
        file +
            ": 2 rows of 30000000 values take 229 MiB when dense, and 1 MiB when sparse; set "
            "'rows: sparse' if what follows takes sparse rows, as linear machines and "
            "normalizer/unit_length do");
  context.lines.clear();
  make_component<Source>("source/libsvm", {{"path", file}, {"rows", std::string("sparse")}})
      ->open(context);
  for (const std::string& line : context.lines) CHECK(line.find("'rows: sparse'") == line.npos);
}

TEST_CASE("precomputed kernels: a row's number is checked and is no value") {
  const TempFolder folder;
  TestContext context;
  const auto train = folder.write("k", "1 0:1 1:4 2:1\n-1 0:2 1:1 2:3\n");
  const auto test = folder.write("t", "1 0:7 1:2 2:0\n");
  const Parameters matrix = {{"path", train}, {"test_path", test}, {"precomputed", true}};
  const auto data = open_checked(*make_component<Source>("source/libsvm", matrix), context);
  CHECK(data->outline().layout == Layout::vector(2));
  CHECK(all_rows(*data).values == Floats{4, 1, 1, 3, 2, 0});
  const auto refused = [&](const std::string& content, const std::string& what) {
    const auto file = folder.write("bad", content);
    check_message(message_of(*make_component<Source>("source/libsvm",
                                                     {{"path", file}, {"precomputed", true}}),
                             context),
                  file, what);
  };
  refused("1 0:1 1:4 2:1\n-1 0:3 1:1 2:3\n", "line 2: has the number 3, but is row 2");
  refused("1 0:1 1:4 2:1\n-1 1:1 2:3\n", "line 2: does not begin with 0:NUMBER");
  refused("1 0:1 1:4 2:1\n-1 0:2 2:3\n", "line 2: has 1 values up to index 2");
  // As vectors, the number would be a value.
  const auto plain = folder.write("p", "1 0:1 1:4\n-1 0:2 1:1\n1 0:3 1:5\n");
  for (const char* first : {"0", "automatic"})
    check_message(
        message_of(*make_component<Source>("source/libsvm",
                                           {{"path", plain}, {"first_index", std::string(first)}}),
                   context),
        plain, "begins each row with 0 and the row's number");
}

}  // namespace libsvm_test
