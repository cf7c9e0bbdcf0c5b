// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/sources_testing.hpp"

namespace new_data_test {

using namespace semblance;
using namespace semblance::testing;

// Applying a trained model uses all rows of the new data, whatever the training run set aside.

namespace {

Value text(const std::string& t) { return t; }

/// Opens the data for a model; checks that all rows are test samples with their own numbers.
std::unique_ptr<Dataset> applied(std::unique_ptr<Source> source, const NewData& data,
                                 TestContext& context) {
  source->apply_model(data);
  auto opened = open_checked(*source, context);
  CHECK(opened->outline().train_rows == 0);
  return opened;
}

std::unique_ptr<Dataset> applied(std::unique_ptr<Source> source, const NewData& data) {
  TestContext context;
  return applied(std::move(source), data, context);
}

/// The message about new data.
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

bool has(const std::string& message, const std::string& part) {
  INFO(message);
  return message.find(part) != message.npos;
}

std::vector<std::int64_t> numbers(const Dataset& data) {
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < data.outline().rows(); ++i) all.push_back(data.number(i));
  return all;
}

std::string array(const std::string& type, const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }",
             bytes);
}

}  // namespace

TEST_CASE("a table: all rows of the new file, by the names that the model knows") {
  const TempFolder folder;
  const auto old = folder.write("old.csv", "a,b,kind\n1,2,x\n3,4,y\n5,6,x\n");
  const auto fresh = [&](const std::string& content) { return folder.write("new.csv", content); };
  const auto model = [&](const std::string& content) {
    return NewData{fresh(content), Layout::vector(2), {"x", "y"}, {"a", "b"}};
  };
  // Whatever the training run set aside, however it named the label.
  for (const Parameters& training : {Parameters{},
                                     {{"test_fraction", 0.3}},
                                     {{"test_rows", std::int64_t{2}}},
                                     {{"test_class_fraction", 0.5}},
                                     {{"label", text("kind")}},
                                     {{"test_path", text("/nowhere.csv")}, {"label", text("3")}}}) {
    const auto source = [&] {
      Parameters all = training;
      all.emplace_back("path", text("/gone.csv"));
      return make_component<Source>("source/csv", all);
    };
    const auto moved = applied(source(), model("b,kind,a\n8,y,7\n10,x,9\n"));
    CHECK(all_rows(*moved).values == Floats{7, 8, 9, 10});
    CHECK(labels(*moved) == Labels{1, 0});
    CHECK(moved->outline().columns == Texts{"a", "b"});
    CHECK(numbers(*moved) == std::vector<std::int64_t>{0, 1});
    const auto unlabelled = applied(source(), model("b,a\n8,7\n"));
    CHECK(all_rows(*unlabelled).values == Floats{7, 8});
    CHECK(labels(*unlabelled) == Labels{-1});
    CHECK(has(problem(source(), model("a,kind\n7,x\n")),
              "lacks the column 'b', which the model was trained on"));
    CHECK(has(problem(source(), model("a,b,c,d,kind\n7,8,9,0,x\n")), "has the columns '"));
  }
  // No header, with and without the label; and no path: the source's own file, all of it.
  const auto position = [&](const std::string& content) {
    return applied(make_component<Source>("source/csv", {{"path", text(old)}}), model(content));
  };
  CHECK(labels(*position("7,8,y\n9,10,x\n")) == Labels{1, 0});
  CHECK(all_rows(*position("7,8\n9,10\n")).values == Floats{7, 8, 9, 10});
  CHECK(position("7,8\n9,10\n")->outline().columns.empty());
  CHECK(
      has(problem(make_component<Source>("source/csv", {{"path", text(old)}}), model("7,8,9,10\n")),
          "has 4 values, but the model takes rows of 2; give the columns it was trained on"));
  const auto own =
      applied(make_component<Source>("source/csv", {{"path", text(old)}, {"test_fraction", 0.5}}),
              {"", Layout::vector(2), {"x", "y"}, {"a", "b"}});
  CHECK(own->outline().test_rows == 3);
  CHECK(all_rows(*own).values == Floats{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a table: ids are carried along, what was ignored may be missing, classes may be many") {
  const TempFolder folder;
  const NewData model{
      folder.write("new.csv", "who,b,a\nann,2,1\nbob,4,3\n"), Layout::vector(2), {"x"}, {"a", "b"}};
  const auto data = applied(make_component<Source>("source/csv", {{"path", text("/gone")},
                                                                  {"id", text("who")},
                                                                  {"label", text("kind")},
                                                                  {"ignore", Texts{"note"}}}),
                            model);
  CHECK(data->name(0) == "ann");
  CHECK(data->name(1) == "bob");
  CHECK(all_rows(*data).values == Floats{1, 2, 3, 4});
  std::string many = "a,b,kind\n";
  for (int i = 0; i < 150; ++i) many += "1,2,class" + std::to_string(i) + "\n";
  CHECK(applied(make_component<Source>("source/csv", {{"path", text("/gone")}}),
                {folder.write("many.csv", many), Layout::vector(2), {"x"}, {"a", "b"}})
            ->outline()
            .test_rows == 150);
}

TEST_CASE("parameters that set rows aside cannot be given for new data, unless they set none") {
  const TempFolder folder;
  const auto file = folder.write("t.csv", "1,2,x\n3,4,y\n");
  const auto given = [&](const Parameters& parameters, const std::string& name) {
    Parameters all = parameters;
    all.emplace_back("path", text(file));
    NewData data{"", Layout::vector(2), {"x", "y"}, {}};
    data.given = {name};
    return problem(make_component<Source>("source/csv", all), data);
  };
  for (const auto& [name, value] : Parameters{{"test_path", text(file)},
                                              {"test_fraction", 0.5},
                                              {"test_rows", std::int64_t{1}},
                                              {"test_class_fraction", 0.5}})
    CHECK(has(given({{name, value}}, name),
              "'" + name + "' says which rows a training run uses or sets aside"));
  CHECK(given({{"test_path", text("")}}, "test_path") == "no error");
  CHECK(given({{"test_rows", std::int64_t{0}}}, "test_rows") == "no error");
  CHECK(has(problem(make_component<Source>("source/cifar10", {{"path", text(file)}}),
                    {"", Layout::image(32, 32, 3), {}, {}, {}, {"train_folds"}}),
            "'train_folds' says which rows"));
  CHECK(has(problem(make_component<Source>("source/lfw", {{"path", text(file)}}),
                    {"", {}, {}, {}, {}, {"fold"}}),
            "'fold' says"));
}

TEST_CASE("sparse rows have as many values as the model takes") {
  const TempFolder folder;
  const auto apply = [&](const std::string& content, const char* first = "1") {
    return applied(make_component<Source>("source/libsvm",
                                          {{"path", text("/gone")}, {"first_index", text(first)}}),
                   {folder.write("new", content), Layout::vector(4), {"-1", "1"}, {}});
  };
  CHECK(all_rows(*apply("+1 2:5\n-1 1:3\n")).values == Floats{0, 5, 0, 0, 3, 0, 0, 0});
  CHECK(all_rows(*apply("2:5\n\n", "0")).values == Floats{0, 0, 5, 0});
  CHECK(all_rows(*apply("1\n")).values == Floats{0, 0, 0, 0});
  CHECK(all_rows(*apply("1 0:5 2:1\n", "automatic")).values == Floats{5, 0, 1, 0});
  CHECK(all_rows(*apply("1 4:5\n", "automatic")).values == Floats{0, 0, 0, 5});
  const auto refuse = [&](const std::string& content, const char* first) {
    return problem(make_component<Source>("source/libsvm",
                                          {{"path", text("/gone")}, {"first_index", text(first)}}),
                   {folder.write("new", content), Layout::vector(4), {"-1", "1"}, {}});
  };
  CHECK(has(refuse("1 1:1\n1 5:1\n", "1"),
            "line 2: holds the index 5, larger than 4, the last one of the rows of 4 values that "
            "the model was trained on"));
  CHECK(has(refuse("1 4:1\n", "0"), "holds the index 4, larger than 3"));
  CHECK(has(refuse("1 2:1\n", "automatic"), "it is unknown whether its indices count from 0"));
  CHECK(has(refuse("1 0:1 4:1\n", "automatic"), "the index 4 in line 1 of"));
}

TEST_CASE("arrays: all rows, with labels only where they are given with them") {
  const TempFolder folder;
  const auto x = folder.write("x.npy", array("<f4", "2, 2", bytes_of<float>({1, 2, 3, 4})));
  const auto y = folder.write("y.npy", array("<i8", "2,", bytes_of<std::int64_t>({7, 9})));
  const auto source = [&] {
    return make_component<Source>(
        "source/npy",
        {{"path", text("/gone")}, {"label", text(y)}, {"groups", text(y)}, {"test_fraction", 0.5}});
  };
  NewData data{x, Layout::vector(2), {"7", "9"}, {}};
  // The labels are those of the training samples, although their number matches.
  CHECK(labels(*applied(source(), data)) == Labels{-1, -1});
  CHECK(applied(source(), data)->groups().empty());
  data.given = {"label", "groups"};
  const auto labelled = applied(source(), data);
  CHECK(std::ranges::equal(labelled->groups(), Labels{0, 1}));
  CHECK(labels(*labelled) == Labels{0, 1});
  CHECK(all_rows(*labelled).values == Floats{1, 2, 3, 4});
}

TEST_CASE("idx files: one file with the labels beside it, or all of a folder") {
  const TempFolder folder;
  const auto images = [](std::size_t count, char first) {
    std::string bytes = std::string("\0\0\x08\x03", 4) + big_endian(std::uint32_t(count)) +
                        big_endian(1) + big_endian(2);
    for (std::size_t i = 0; i < 2 * count; ++i) bytes += char(first + i);
    return bytes;
  };
  const auto marks = [](const std::string& labels) {
    return std::string("\0\0\x08\x01", 4) + big_endian(std::uint32_t(labels.size())) + labels;
  };
  folder.write("train-images-idx3-ubyte", images(2, 10));
  folder.write("train-labels-idx1-ubyte", marks("\1\2"));
  folder.write("t10k-images-idx3-ubyte", images(1, 50));
  folder.write("t10k-labels-idx1-ubyte", marks("\2"));
  const auto other = folder.write("other-images", images(3, 70));
  const auto apply = [&](const std::string& path) {
    return applied(make_component<Source>("source/idx", {{"path", text(folder.path())}}),
                   {path, Layout::image(1, 2, 1), {"1", "2"}, {}});
  };
  const auto all = apply("");
  CHECK(all_rows(*all).values == Floats{10, 11, 12, 13, 50, 51});
  CHECK(labels(*all) == Labels{0, 1, 1});
  CHECK(labels(*apply(folder.path() + "/t10k-images-idx3-ubyte")) == Labels{0});
  const auto bare = apply(other);
  CHECK(all_rows(*bare).values == Floats{70, 71, 72, 73, 74, 75});
  CHECK(labels(*bare) == Labels{-1, -1, -1});
}

TEST_CASE("CIFAR-10: one file of any number of records, or the batches of a folder") {
  const TempFolder folder;
  std::string records;
  for (int i = 0; i < 3; ++i) records += char(9 - i) + std::string(3072, char(i));
  const Texts names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  for (const char* name : {"new.bin", "new.bin.gz"}) {
    const auto data = applied(make_component<Source>("source/cifar10", {{"path", text("/gone")}}),
                              {folder.write(name, records), Layout::image(32, 32, 3), names, {}});
    CHECK(data->outline().test_rows == 3);
    CHECK(data->outline().classes == names);
    CHECK(labels(*data) == Labels{9, 8, 7});
    CHECK(numbers(*data) == std::vector<std::int64_t>{0, 1, 2});
  }
  CHECK(has(
      problem(make_component<Source>("source/cifar10", {{"path", text("/gone")}}),
              {folder.write("cut.bin", records.substr(5)), Layout::image(32, 32, 3), names, {}}),
      "is not a multiple of the record size of 3073 bytes"));
}

TEST_CASE("pictures: with their names, with or without the folders of classes") {
  const TempFolder folder;
  const auto grey = [](char value) { return std::string("P5 1 1 255\n") + value; };
  folder.write("plain/b.pgm", grey('b'));
  folder.write("plain/a.pgm", grey('a'));
  folder.write("sorted/dogs/2.pgm", grey('d'));
  const auto apply = [&](const std::string& path) {
    return applied(make_component<Source>(
                       "source/images",
                       {{"path", text("/gone")}, {"color", text("grey")}, {"test_fraction", 0.5}}),
                   {path, Layout::image(1, 1, 1), {"cats", "dogs"}, {}});
  };
  const auto plain = apply(folder.path() + "/plain");
  CHECK(all_rows(*plain).values == Floats{'a', 'b'});
  CHECK(plain->name(0) == "a.pgm");
  CHECK(labels(*plain) == Labels{-1, -1});
  const auto sorted = apply(folder.path() + "/sorted");
  CHECK(sorted->outline().classes == Texts{"dogs"});
  CHECK(sorted->name(0) == "dogs/2.pgm");
}

TEST_CASE("faces: all pictures of a folder, whoever they show") {
  const TempFolder folder;
  const auto grey = [](char value) { return std::string("P5 1 1 255\n") + value; };
  folder.write("new/Eve/Eve_0002.pgm", grey('2'));
  folder.write("new/Ann/Ann_0010.pgm", grey('1'));
  folder.write("new/0 stranger.pgm", grey('0'));
  const auto data = applied(make_component<Source>("source/lfw", {{"path", text("/gone")}}),
                            {folder.path() + "/new", Layout::image(1, 1, 1), {"Bob"}, {}});
  CHECK(all_rows(*data).values == Floats{'1', '2', '0'});
  CHECK(data->outline().classes == Texts{"Ann", "Eve"});
  CHECK(labels(*data) == Labels{0, 1, -1});
  CHECK(data->name(2) == "0 stranger.pgm");
  CHECK(data->number(2) == 0);
}

}  // namespace new_data_test
