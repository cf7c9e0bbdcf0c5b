// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "arrays/array_rows.hpp"
#include "semblance/handed_over.hpp"
#include "tests/sources_testing.hpp"

namespace array_source_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

/// The example's rows with one value changed.
class Changed final : public Dataset {
 public:
  explicit Changed(float value) : value_(value) {}
  const Outline& outline() const noexcept override { return rows_->outline(); }
  std::span<const std::int32_t> labels() const noexcept override { return rows_->labels(); }
  void read(std::size_t first, MutableMatrixView out) const override {
    rows_->read(first, out);
    if (first <= 7 && 7 < first + out.rows) out.row(7 - first)[1] = value_;
  }
  std::size_t bytes() const noexcept override { return rows_->bytes(); }

 private:
  std::shared_ptr<const Dataset> rows_ = example_rows();
  float value_;
};

}  // namespace

TEST_CASE("what a program hands over is found while it holds it, and lies where it lay") {
  TestContext context;
  const auto source = make_component<Source>("source/array", {{"data", std::string("mine")}});
  CHECK_THROWS_WITH_AS(source->open(context),
                       doctest::Contains("no program has handed over the data 'mine'"), Error);
  {
    const auto rows = example_rows();
    const HandedOver given("mine", rows);
    HandedOver again("mine", rows);
    { const HandedOver moved = std::move(again); }
    const auto data = source->open(context);
    CHECK(data->outline().train_rows == 60);
    CHECK(data->outline().rows_in_place == 60);
    CHECK(data->in_place(10, 20).data == rows->in_place(10, 20).data);
  }
  CHECK(handed_over("mine") == nullptr);
}

TEST_CASE("rows set aside keep their numbers, and do not lie together any more") {
  TestContext context;
  const auto all = example_rows();
  const HandedOver given("all", all);
  const auto data =
      open_checked(*make_component<Source>("source/array",
                                           {{"data", std::string("all")}, {"test_fraction", 0.2}}),
                   context);
  CHECK(data->outline().train_rows == 48);
  CHECK(data->outline().rows_in_place == 0);
  CHECK(class_counts(*data, 48, 12) == std::vector<int>{6, 6});
  for (std::size_t i = 0; i < 60; ++i) {
    const auto number = static_cast<std::size_t>(data->number(i));
    CHECK(data->in_place(i, 1).data == all->in_place(number, 1).data);
    CHECK(data->labels()[i] == all->labels()[number]);
  }
  check_seeded(*make_component<Source>("source/array",
                                       {{"data", std::string("example")}, {"test_fraction", 0.2}}));
}

TEST_CASE("a value that is not finite is reported with its place") {
  TestContext context;
  const HandedOver given("bad", std::make_shared<Changed>(std::numeric_limits<float>::quiet_NaN()));
  const auto source = make_component<Source>("source/array", {{"data", std::string("bad")}});
  CHECK_THROWS_WITH_AS(source->open(context),
                       "row 7 (from 0) has a missing value (NaN) at position 1; remove the row, or "
                       "replace the value",
                       Error);
}

TEST_CASE("missing values are retained, if wanted, but infinite ones are not") {
  TestContext context;
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const HandedOver gap("gap", std::make_shared<Changed>(std::numeric_limits<float>::quiet_NaN()));
  const HandedOver bad("bad", std::make_shared<Changed>(infinite));
  const auto source = [](const std::string& data) {
    return make_component<Source>("source/array",
                                  {{"data", data}, {"missing", std::string("keep")}});
  };
  CHECK(source("gap")->keeps_missing());
  CHECK(std::isnan(all_rows(*source("gap")->open(context)).view().row(7)[1]));
  CHECK_THROWS_WITH_AS(source("bad")->open(context),
                       "row 7 (from 0) has an infinite value; remove the row, or replace the value",
                       Error);
  const TempFolder folder;
  NewData model{
      folder.write("new.csv", "up,across\n1,\n"), Layout::vector(2), {"left"}, {"across", "up"}};
  const auto applied = source("gap");
  applied->apply_model(model);
  CHECK(std::isnan(all_rows(*applied->open(context)).values[0]));
}

TEST_CASE("symbols that the alphabet does not have are refused") {
  const std::vector<float> values = {0, 1, 2};
  const std::size_t offsets[] = {0, 3};
  const MatrixView row{values.data(), 1, 3, 3, offsets};
  check_values(row, Layout::string(3, "abc"), 0);
  CHECK_THROWS_WITH_AS(check_values(row, Layout::string(3, "ab"), 5),
                       "row 5 (from 0) has a value that is no symbol of its alphabet", Error);
}

TEST_CASE("a model reads new rows from a file") {
  const TempFolder folder;
  TestContext context;
  auto source = make_component<Source>("source/array", {{"data", std::string("gone")}});
  NewData model;
  model.path = folder.write("new.csv", "up,across\n1,2\n3,4\n");
  model.layout = Layout::vector(2);
  model.columns = {"across", "up"};
  model.classes = {"left", "right"};
  source->apply_model(model);
  CHECK(source->files() == std::vector<std::string>{model.path});
  const auto data = source->open(context);
  CHECK(data->outline().train_rows == 0);
  CHECK(all_rows(*data).values == std::vector<float>{2, 1, 4, 3});
}

}  // namespace array_source_test
