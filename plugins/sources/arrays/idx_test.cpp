// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"

namespace idx_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::string images(std::uint32_t rows, const std::string& pixels) {
  return big_endian(0x803) + big_endian(rows) + big_endian(2) + big_endian(3) + pixels;
}
std::string label_file(const std::string& values) {
  return big_endian(0x801) + big_endian(std::uint32_t(values.size())) + values;
}

}  // namespace

TEST_CASE("a folder with MNIST's names, compressed or not, makes grey images") {
  const TempFolder folder;
  folder.write("train-images-idx3-ubyte.gz", images(2, "\1\2\3\4\5\6\7\10\11\12\13\377"));
  folder.write("train-labels-idx1-ubyte.xz", label_file("\7\3"));
  folder.write("t10k-images.idx3-ubyte", images(1, "abcdef"));
  folder.write("t10k-labels.idx1-ubyte", label_file("\7"));
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/idx", {{"path", folder.path()}}), context);
  CHECK(data->outline().layout == Layout::image(2, 3, 1));
  CHECK(data->outline().train_rows == 2);
  CHECK(data->outline().test_rows == 1);
  CHECK(data->outline().classes == std::vector<std::string>{"3", "7"});
  CHECK(labels(*data) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(all_rows(*data).values[11] == 255);
  CHECK(all_rows(*data).values[12] == float('a'));
}

TEST_CASE("test images may come without labels, and rows may be vectors") {
  const TempFolder folder;
  const auto file = folder.write("new", big_endian(0x802) + big_endian(2) + big_endian(2) + "abcd");
  TestContext context;
  const auto data =
      open_checked(*make_component<Source>("source/idx", {{"test_images", file}}), context);
  CHECK(data->outline().layout == Layout::vector(2));
  CHECK(data->outline().train_rows == 0);
  CHECK(labels(*data) == std::vector<std::int32_t>{-1, -1});
}

TEST_CASE("which files idx reads must be clear") {
  const Value a = std::string("a");
  CHECK_THROWS_WITH_AS(make_component<Source>("source/idx"),
                       doctest::Contains("no images are given"), Error);
  CHECK_THROWS_WITH_AS(make_component<Source>("source/idx", {{"path", a}, {"test_images", a}}),
                       doctest::Contains("either the folder or the files"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/idx", {{"test_images", a}, {"train_labels", a}}),
      "'train_labels' needs 'train_images'; give both or only the images", Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/idx",
                             {{"train_images", a}, {"train_labels", a}, {"test_labels", a}}),
      doctest::Contains("needs 'test_images'"), Error);
}

TEST_CASE("MNIST is as it is known") {
  const std::string data = real_data();
  if (data.empty()) return;
  TestContext context;
  const auto set =
      open_checked(*make_component<Source>("source/idx", {{"path", data + "/mnist"}}), context);
  CHECK(set->outline().layout == Layout::image(28, 28, 1));
  CHECK(class_counts(*set, 0, 60000) ==
        std::vector<int>{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949});
  CHECK(class_counts(*set, 60000, 10000) ==
        std::vector<int>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
}

}  // namespace idx_test
