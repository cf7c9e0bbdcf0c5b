// SPDX-License-Identifier: MIT
// Numbers to predict in files of other forms than tables of text: arrays, LIBSVM's format, series.
#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/handed_over.hpp"
#include "tests/sources_testing.hpp"

namespace target_files_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
using Doubles = std::vector<double>;

Doubles targets(const Dataset& data) { return {data.targets().begin(), data.targets().end()}; }

std::string refusal(const Source& source, const std::string& file) {
  TestContext context;
  const std::string message = message_of(source, context);
  if (!message.starts_with(file + ": ")) return message;
  return message.substr(file.size() + 2);
}

std::string array(const std::string& type, const std::string& shape, const std::string& bytes,
                  bool by_columns = false) {
  return npy("{'descr': '" + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
                 ", 'shape': (" + shape + "), }",
             bytes);
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Four rows of two values.
struct Arrays {
  TempFolder folder;
  std::string x =
      folder.write("x.npy", array("<f4", "4, 2", bytes_of<float>({1, 2, 3, 4, 5, 6, 7, 8})));

  std::unique_ptr<Source> source(const std::string& y, Parameters more = {}) const {
    more.emplace_back("path", x);
    more.emplace_back("target", y);
    return make_component<Source>("source/npy", more);
  }
};
}  // namespace

TEST_CASE("npy: arrays of targets of every type, with one or several per row") {
  const Arrays arrays;
  TestContext context;
  const auto read = [&](const std::string& content) {
    const auto source = arrays.source(arrays.folder.write("y.npy", content));
    CHECK(source->target_kind() == TargetKind::numbers);
    auto data = open_checked(*source, context);
    CHECK(data->outline().train_rows == 4);
    CHECK(data->outline().classes.empty());
    CHECK(labels(*data) == Labels(4, -1));
    return data;
  };
  const auto one = read(array("<f8", "4,", bytes_of<double>({0.1, -1e-30, 1e30, 0})));
  CHECK(one->outline().targets == Texts{"target"});
  CHECK(targets(*one) == Doubles{0.1, -1e-30, 1e30, 0});
  CHECK(targets(*read(array("<f4", "4, 1", bytes_of<float>({0.1F, 2, 3, 4})))) ==
        Doubles{double{0.1F}, 2, 3, 4});
  CHECK(targets(*read(array("<i8", "4,", bytes_of<std::int64_t>({-5, 2, 3, 16777217})))) ==
        Doubles{-5, 2, 3, 16777217});
  CHECK(targets(*read(array("|u1", "4,", bytes_of<std::uint8_t>({0, 255, 3, 4})))) ==
        Doubles{0, 255, 3, 4});
  const auto two = read(array("<f8", "4, 2", bytes_of<double>({1, 2, 3, 4, 5, 6, 7, 8}), true));
  CHECK(two->outline().targets == Texts{"target 1", "target 2"});
  CHECK(targets(*two) == Doubles{1, 5, 2, 6, 3, 7, 4, 8});
}

TEST_CASE("npy: targets with weights, groups, a second file and a share for testing") {
  const Arrays arrays;
  TestContext context;
  const auto& folder = arrays.folder;
  const auto y = folder.write("y.npy", array("<f8", "4,", bytes_of<double>({4, 3, 2, 1})));
  const auto w = folder.write("w.npy", array("<f8", "4,", bytes_of<double>({.4, .3, .2, .1})));
  const auto data =
      open_checked(*arrays.source(y, {{"weight", w}, {"test_fraction", 0.5}}), context);
  CHECK(data->outline().train_rows == 2);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(data->targets()[i] == 4 - static_cast<double>(data->number(i)));
    CHECK(data->weights()[i] == data->targets()[i] / 10);
    CHECK(row_of(*data, i)[0] == 1 + 2 * static_cast<float>(data->number(i)));
  }
  const auto more = folder.write("z.npy", array("<f8", "4,", bytes_of<double>({9, 8, 7, 6})));
  const auto tested =
      open_checked(*arrays.source(y, {{"test_path", arrays.x}, {"test_target", more}}), context);
  CHECK(targets(*tested) == Doubles{4, 3, 2, 1, 9, 8, 7, 6});
  const auto unknown = open_checked(*arrays.source(y, {{"test_path", arrays.x}}), context);
  CHECK(unknown->targets()[3] == 1);
  for (std::size_t i = 4; i < 8; ++i) CHECK(std::isnan(unknown->targets()[i]));
}

TEST_CASE("npy: sequences have targets, too, and rows without one may be dropped") {
  const Arrays arrays;
  TestContext context;
  const auto y =
      arrays.folder.write("y.npy", array("<f8", "4,", bytes_of<double>({4, unknown, 2, 1})));
  for (const char* layout : {"vector", "sequence"}) {
    const auto open = [&](Parameters more) {
      more.emplace_back("layout", std::string(layout));
      return arrays.source(y, more);
    };
    const auto data = open_checked(*open({{"missing_labels", std::string("drop")}}), context);
    CHECK(targets(*data) == Doubles{4, 2, 1});
    CHECK(row_of(*data, 1) == Floats{5, 6});
    CHECK(refusal(*open({}), y) ==
          "row 1 (from 0): the target is missing; fill it in, or set 'missing_labels: drop' to "
          "drop such rows");
  }
}

TEST_CASE("npy: arrays that hold no targets of these rows") {
  const Arrays arrays;
  const auto refused = [&](const std::string& content) {
    const auto file = arrays.folder.write("y.npy", content);
    return refusal(*arrays.source(file), file);
  };
  CHECK(refused(array("<f8", "3,", bytes_of<double>({1, 2, 3}))) ==
        "header: holds the targets of 3 rows, but " + arrays.x +
            " holds 4 rows; use those that belong together");
  CHECK(refused(array("<f8", "4,", bytes_of<double>({1, 2, HUGE_VAL, 4})))
            .starts_with("row 2, value 0 (both from 0): the value is not finite; "));
  CHECK(refused(array("<f8", "4,", bytes_of<double>({1, 2, 3, 1e39}))) ==
        "row 3 (from 0): the target is 1e+39, which is too large for float32; divide all targets "
        "by a constant");
  CHECK(refused(array("<f8", "4,", bytes_of<double>({1e9, 1e9 + .1, 1e9 + .2, 1e9 + .3})))
            .starts_with("the values in the array differ by 0.3, but would be rounded by up to "));
  CHECK(refused(array("|S1", "4,", "abcd")) ==
        "header: holds texts, but numbers are needed here; store an array of numbers");
  const auto y = arrays.folder.write("y.npy", array("<f8", "4,", bytes_of<double>({1, 2, 3, 4})));
  CHECK_THROWS_WITH(arrays.source(y, {{"label", y}}),
                    "'label' names a class and 'target' numbers to predict, but rows have one of "
                    "the two; remove one");
  CHECK_THROWS_WITH(arrays.source(y, {{"test_target", y}}),
                    "'test_target' needs 'test_path'; give both, or remove it");
}

TEST_CASE("npy: new data have targets if they are given") {
  const Arrays arrays;
  TestContext context;
  const auto y =
      arrays.folder.write("y.npy", array("<f8", "4,", bytes_of<double>({4, unknown, 2, 1})));
  NewData data{arrays.x, Layout::vector(2), {}, {}, {"target"}};
  const auto without = arrays.source(y);
  without->apply_model(data);
  const auto bare = without->open(context);
  CHECK(bare->outline().targets == Texts{"target"});
  CHECK(bare->outline().test_rows == 4);
  CHECK(without->outline(context).targets == Texts{"target"});
  for (const double target : bare->targets()) CHECK(std::isnan(target));
  data.given = {"target"};
  const auto with = arrays.source(y);
  with->apply_model(data);
  const auto known = with->open(context);
  CHECK(known->outline().test_rows == 4);
  CHECK(known->targets()[0] == 4);
  CHECK(std::isnan(known->targets()[1]));
}

TEST_CASE("npy: labels that are no classes name the way to numbers") {
  const Arrays arrays;
  const auto y = arrays.folder.write("y.npy", array("<f8", "4,", bytes_of<double>({.5, 1, 2, 3})));
  const auto source = make_component<Source>("source/npy", {{"path", arrays.x}, {"label", y}});
  CHECK(refusal(*source, y) ==
        "row 0 (from 0): the label is not a whole number, as labels must be; correct it, or name "
        "the array in 'target' if these are numbers to predict");
}

namespace {
std::unique_ptr<Source> libsvm(const std::string& file, Parameters more = {}) {
  more.emplace_back("path", file);
  more.emplace_back("target", std::string("numbers"));
  return make_component<Source>("source/libsvm", more);
}
}  // namespace

TEST_CASE("libsvm: lines begin with the number to predict") {
  const TempFolder folder;
  TestContext context;
  const auto file = folder.write("t.txt", "+1.5 1:1 3:2\n-2e-3 2:4 # a remark\n1.5 1:7\n");
  for (const char* rows : {"dense", "sparse"}) {
    const auto source = libsvm(file, {{"rows", std::string(rows)}});
    CHECK(source->target_kind() == TargetKind::numbers);
    const auto data = open_checked(*source, context);
    CHECK(data->outline().targets == Texts{"target"});
    CHECK(data->outline().train_rows == 3);
    CHECK(data->outline().classes.empty());
    CHECK(targets(*data) == Doubles{1.5, -2e-3, 1.5});
    CHECK(labels(*data) == Labels{-1, -1, -1});
    const auto split = open_checked(
        *libsvm(file, {{"rows", std::string(rows)}, {"test_fraction", 0.34}}), context);
    CHECK(split->outline().test_rows == 1);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(split->targets()[i] == data->targets()[static_cast<std::size_t>(split->number(i))]);
  }
}

TEST_CASE("libsvm: what is no target, and rows without one") {
  const TempFolder folder;
  TestContext context;
  const auto refused = [&](const std::string& text, Parameters more = {}) {
    const auto file = folder.write("t.txt", text);
    return refusal(*libsvm(file, more), file);
  };
  CHECK(refused("1 1:1\ntwo 1:2\n") ==
        "line 2: the target is 'two', which is not a number; correct it, or read classes instead "
        "if these are names");
  CHECK(refused("1 1:1\n1,5 1:2\n") ==
        "line 2: its target '1,5' has a comma; give each row one number, with a decimal point");
  CHECK(refused("1 1:1\nnan 1:2\n") ==
        "line 2: the target is missing; fill it in, or set 'missing_labels: drop' to drop such "
        "rows");
  CHECK(refused("1 1:1\n1:2\n") ==
        "line 2: has no target; add it, or set 'role: test' if the rows are to be predicted");
  CHECK(refused("1e8 1:1\n100000001 1:2\n").starts_with("the values in the target differ by 1, "));
  const auto file = folder.write("d.txt", "1 1:1\nnan 1:2\n3 1:5\n");
  const auto dropped =
      open_checked(*libsvm(file, {{"missing_labels", std::string("drop")}}), context);
  CHECK(targets(*dropped) == Doubles{1, 3});
  CHECK(all_rows(*dropped).values == Floats{1, 5});
  const auto bare = libsvm(file);
  bare->apply_model({folder.write("n.txt", "1:5\n1:6\n"), Layout::vector(1), {}, {}, {"target"}});
  const auto data = bare->open(context);
  CHECK(data->outline().targets == Texts{"target"});
  CHECK(std::isnan(data->targets()[1]));
}

namespace {
std::unique_ptr<Source> series(const std::string& file, Parameters more = {}) {
  more.emplace_back("path", file);
  more.emplace_back("target", std::string("numbers"));
  return make_component<Source>("source/ucr", more);
}
const std::string tags = "@problemName heat\n@timeStamps false\n@targetlabel true\n@data\n";
}  // namespace

TEST_CASE("ts and tsv: series with a number to predict") {
  const TempFolder folder;
  TestContext context;
  const auto ts = folder.write("t.ts", tags + "1,2,3:4,5,6:-0.25\n7,8:9,10:1e-3\n");
  const auto source = series(ts);
  CHECK(source->target_kind() == TargetKind::numbers);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().targets == Texts{"target"});
  CHECK(targets(*data) == Doubles{-0.25, 1e-3});
  CHECK(row_of(*data, 1) == Floats{7, 9, 8, 10});
  CHECK(data->outline().train_rows == 2);
  const auto tsv = open_checked(*series(folder.write("t.tsv", "0.5\t1\t2\n0.5\t3\t4\n")), context);
  CHECK(targets(*tsv) == Doubles{0.5, 0.5});
  CHECK(row_of(*tsv, 1) == Floats{3, 4});
  // A folder, as the archive has it.
  folder.write("Heat/Heat_TRAIN.ts", tags + "1,2:3\n4,5:6\n");
  folder.write("Heat/Heat_TEST.ts", tags + "7,8:9\n");
  const auto both = open_checked(*series(folder.path() + "/Heat"), context);
  CHECK(targets(*both) == Doubles{3, 6, 9});
  CHECK(both->outline().test_rows == 1);
}

TEST_CASE("ts: missing and wrong targets") {
  const TempFolder folder;
  TestContext context;
  const auto refused = [&](const std::string& text, Parameters more = {}) {
    const auto file = folder.write("t.ts", text);
    return refusal(*series(file, more), file);
  };
  const std::string classes = "@classLabel true a b\n@data\n1,2:a\n";
  CHECK(refused(classes) ==
        "line 2: the series have classes (@classLabel); omit 'target: numbers', or use a file with "
        "@targetLabel");
  CHECK(refused(tags + "1,2:?\n") ==
        "line 5: the target is missing; fill it in, or set 'missing_labels: drop' to drop such "
        "rows");
  CHECK(refused(tags + "1,2:hot\n") ==
        "line 5: the target is 'hot', which is not a number; correct it, or read classes instead "
        "if these are names");
  CHECK(refused(tags + "1,2\n") ==
        "line 5: has no ':' and so no target after the series; add it, or correct the tag "
        "@targetLabel");
  CHECK(refused("@data\n1,2\n").starts_with("line 1: the tags name no numbers to predict; "));
  const auto file = folder.write("t.ts", tags + "1,2:?\n3,4:5\n6,7:8\n");
  const auto data = open_checked(*series(file, {{"missing_labels", std::string("drop")}}), context);
  CHECK(targets(*data) == Doubles{5, 8});
  CHECK(row_of(*data, 0) == Floats{3, 4});
  const auto plain = make_component<Source>("source/ucr", {{"path", file}});
  CHECK(refusal(*plain, file) ==
        "line 4: the series have numbers to predict (@targetLabel); set 'target: numbers', or use "
        "a file with @classLabel");
  const auto fresh = series(file);
  fresh->apply_model({folder.write("n.ts", "@targetLabel false\n@data\n1,2\n"),
                      Layout::sequence(2, 1),
                      {},
                      {},
                      {"target"}});
  CHECK(std::isnan(fresh->open(context)->targets()[0]));
}

namespace {

/// Rows of a program with targets.
class Priced final : public Dataset {
 public:
  Priced(Doubles targets, std::size_t train_rows) : targets_(std::move(targets)) {
    const std::size_t rows = targets_.size() / 2;
    outline_ = {Layout::vector(1), train_rows, rows - train_rows, {}};
    outline_.targets = {"price", "age"};
  }
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return {}; }
  std::span<const double> targets() const noexcept override { return targets_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i) out.row(i)[0] = static_cast<float>(first + i);
  }
  std::size_t bytes() const noexcept override { return 8 * targets_.size(); }

 private:
  Outline outline_;
  Doubles targets_;
};

}  // namespace

TEST_CASE("array: a program's targets") {
  TestContext context;
  const auto read = [&](Doubles targets, std::size_t train, Parameters more = {}) {
    const HandedOver given("priced", std::make_shared<Priced>(std::move(targets), train));
    more.emplace_back("data", std::string("priced"));
    const auto source = make_component<Source>("source/array", more);
    CHECK(source->target_kind() == TargetKind::numbers);
    auto data = source->open(context);
    CHECK(source->outline(context).targets == Texts{"price", "age"});
    return data;
  };
  const Doubles numbers = {1, 10, 2, 20, 3, 30, 4, 40};
  const auto all = read(numbers, 4);
  CHECK(targets(*all) == numbers);
  CHECK(all->outline().classes.empty());
  CHECK(labels(*all) == Labels(4, -1));
  const auto split = read(numbers, 4, {{"test_fraction", 0.25}});
  CHECK(split->outline().test_rows == 1);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(split->targets()[2 * i + 1] == 10 + 10 * static_cast<double>(split->number(i)));
  const auto tested = read({1, 10, 2, 20, unknown, 30, 4, unknown}, 2);
  CHECK(std::isnan(tested->targets()[4]));
  CHECK_THROWS_WITH_AS(read({1, 10, unknown, 20}, 2),
                       "row 1 (from 0) lacks a target; fill it in, or remove the row", Error);
  CHECK_THROWS_WITH_AS(read({1, 10, HUGE_VAL, 20}, 2),
                       "row 1 (from 0) has a target that is not finite; correct it", Error);
  CHECK_THROWS_WITH_AS(read({1e9, 10, 1e9 + .1, 20}, 2),
                       doctest::Contains("the values in the target 'price' differ by 0.1"), Error);
  const auto gone = make_component<Source>("source/array", {{"data", std::string("gone")}});
  CHECK(gone->target_kind() == TargetKind::none);
}

TEST_CASE("array: a model of numbers is applied to files") {
  const TempFolder folder;
  TestContext context;
  const auto read = [&](const std::string& file, const Texts& columns) {
    const auto source = make_component<Source>("source/array", {{"data", std::string("gone")}});
    source->apply_model({file, Layout::vector(2), {}, columns, {"price"}});
    return source->open(context);
  };
  const auto table = read(folder.write("t.csv", "b,price,a\n1,2.5,3\n"), {"a", "b"});
  CHECK(targets(*table) == Doubles{2.5});
  CHECK(all_rows(*table).values == Floats{3, 1});
  const auto bare = read(folder.write("u.csv", "b,a\n1,3\n"), {"a", "b"});
  CHECK(std::isnan(bare->targets()[0]));
  // Without names the target is the last column, if it is there.
  const auto placed = read(folder.write("v.csv", "1,3\n"), {});
  CHECK(all_rows(*placed).values == Floats{1, 3});
  CHECK(placed->outline().targets == Texts{"price"});
  const auto last = read(folder.write("w.csv", "1,3,2.5\n"), {});
  CHECK(all_rows(*last).values == Floats{1, 3});
  CHECK(targets(*last) == Doubles{2.5});
}

}  // namespace target_files_test
