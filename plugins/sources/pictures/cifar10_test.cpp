// SPDX-License-Identifier: MIT
#include <cstring>

#include "tests/sources_testing.hpp"

namespace cifar10_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

using Folds = std::vector<std::int64_t>;

/// 10,000 records whose labels and pixels follow from their number.
std::string batch(int seed) {
  std::string bytes(10000 * 3073, '\0');
  for (std::size_t i = 0; i < 10000; ++i) {
    bytes[i * 3073] = char((i + seed) % 10);
    std::memset(bytes.data() + i * 3073 + 1, int(i + seed) % 251, 3072);
  }
  return bytes;
}

}  // namespace

TEST_CASE("folds come in the order asked for, plain or compressed, test images last") {
  const TempFolder folder;
  folder.write("data_batch_1.bin.gz", batch(1));
  folder.write("data_batch_3.bin", batch(3));
  folder.write("test_batch.bin.zst", batch(7));
  folder.write("batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  TestContext context;
  const auto source = make_component<Source>(
      "source/cifar10", {{"path", folder.path()}, {"train_folds", Folds{3, 1}}});
  CHECK(source->files().size() == 4);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().train_rows == 20000);
  CHECK(data->outline().test_rows == 10000);
  CHECK(data->outline().classes[9] == "j");
  CHECK(data->bytes() < 31 * 3'000'000);
  for (const auto& [row, seed] : {std::pair{0, 3}, {9999, 3}, {10000, 1}, {20005, 7}}) {
    FloatMatrix image(1, 3072);
    data->read(row, image.view());
    CHECK(data->labels()[row] == (row % 10000 + seed) % 10);
    CHECK(data->number(row) == (seed == 7 ? 50000 : (seed - 1) * 10000) + row % 10000);
    for (const float x : image.values) REQUIRE(x == float((row % 10000 + seed) % 251));
  }
}

TEST_CASE("the first images of each batch") {
  const TempFolder folder;
  folder.write("data_batch_2.bin", batch(2));
  folder.write("data_batch_5.bin", batch(5));
  folder.write("test_batch.bin", batch(7));
  TestContext context;
  const auto source =
      make_component<Source>("source/cifar10", {{"path", folder.path()},
                                                {"train_folds", Folds{2, 5}},
                                                {"images_per_batch", std::int64_t{730}}});
  const auto data = open_checked(*source, context);
  CHECK(data->outline().train_rows == 1460);
  CHECK(data->outline().numbered_rows == 50000);
  CHECK(data->number(729) == 10729);
  CHECK(data->number(730) == 40000);
  CHECK(data->number(1460) == 50000);
  CHECK(data->outline().test_rows == 730);
  for (const auto& [row, seed] : {std::pair{0, 2}, {729, 2}, {730, 5}, {1461, 7}}) {
    FloatMatrix image(1, 3072);
    data->read(row, image.view());
    CHECK(data->labels()[row] == (row % 730 + seed) % 10);
    for (const float x : image.values) REQUIRE(x == float((row % 730 + seed) % 251));
  }
}

TEST_CASE("cifar10's parameters are checked, and the outline needs no batch") {
  CHECK_THROWS_WITH_AS(make_component<Source>("source/cifar10", {{"train_folds", Folds{2, 2}}}),
                       doctest::Contains("twice"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/cifar10", {{"train_folds", Folds{}}, {"test", false}}),
      doctest::Contains("no rows"), Error);
  TestContext context;
  const Outline outline =
      make_component<Source>("source/cifar10", {{"path", std::string("/nowhere")}, {"test", false}})
          ->outline(context);
  CHECK(outline.rows() == 50000);
  CHECK(outline.layout == Layout::image(32, 32, 3));
  CHECK(outline.classes[6] == "frog");
}

TEST_CASE("a stop request ends reading") {
  const TempFolder folder;
  folder.write("test_batch.bin", batch(0));
  TestContext context;
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(
      make_component<Source>("source/cifar10", {{"path", folder.path()}, {"train_folds", Folds{}}})
          ->open(context),
      Cancelled);
}

TEST_CASE("the real test batch has 1000 images of each class") {
  const std::string data = real_data();
  if (data.empty()) return;
  TestContext context;
  const auto set =
      open_checked(*make_component<Source>("source/cifar10",
                                           {{"path", data + "/cifar10"}, {"train_folds", Folds{}}}),
                   context);
  CHECK(set->outline().classes.front() == "airplane");
  CHECK(class_counts(*set, 0, 10000) == std::vector<int>(10, 1000));
}

}  // namespace cifar10_test
