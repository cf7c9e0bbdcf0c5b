// SPDX-License-Identifier: MIT
#include "pictures/image_decoding.hpp"
#include "pictures/lfw_protocol.hpp"
#include "tests/sources_testing.hpp"

namespace limits_test {

using semblance::sources::Picture;

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

// Files that claim more than they contain, or unpack to more than memory: each is refused with a
// message before memory is allocated. The context allows 4 MiB.

namespace {

void check_refused(const std::string& id, const std::string& name, const std::string& content,
                   const std::string& parameter, const std::string& message) {
  CAPTURE(name);
  const TempFolder folder;
  const std::string file = folder.write(name, content);
  TestContext context;
  context.budget = std::size_t{4} << 20;
  const auto source = make_component<Source>(id, {{parameter, file}});
  check_message(message_of(*source, context), file, message);
  CHECK_THROWS_WITH_AS(source->outline(context), doctest::Contains(message.c_str()), DataError);
}

std::string array(const std::string& shape, const std::string& bytes) {
  return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", bytes);
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  while (count-- > 0) all += text;
  return all;
}

std::string refusal(const std::string& picture, std::size_t memory) {
  try {
    decode_picture({reinterpret_cast<const std::uint8_t*>(picture.data()), picture.size()}, memory);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// With other numbers in the frame header: height and width.
std::string claiming(std::string jpeg, int height, int width) {
  const std::size_t at = jpeg.find("\xff\xc0") + 5;
  jpeg.replace(at, 4, {char(height >> 8), char(height), char(width >> 8), char(width)});
  return jpeg;
}

}  // namespace

TEST_CASE("tables that unpack to more than memory") {
  check_refused(
      "source/csv", "bomb.csv.gz", repeated("1,2,a\n", 600'000), "path",
      "the rows so far need 6 MiB, more than the 4 MiB of memory left; allow more with --memory");
  check_refused("source/libsvm", "bomb.txt.xz", repeated("1 1:2 3:4\n", 600'000), "path",
                "the rows so far need 5 MiB, more than the 4 MiB");
  check_refused("source/libsvm", "wide.txt", "1 2147483648:1\n2 1:1\n", "path",
                "2 rows of 2147483648 values need 16384 MiB when dense");
  std::string names;
  for (int i = 0; i < 30'000; ++i) names += "1,class " + std::to_string(i) + "\n";
  check_refused("source/csv", "names.csv", names, "path", "the rows so far need 5 MiB");
}

TEST_CASE("arrays that claim more than there is, or than memory") {
  const std::string bytes(24, '\0');
  check_refused("source/npy", "cut.npy", array("(1000000, 3)", bytes), "path",
                "the file ends before the 1000000 rows that its header claims");
  check_refused("source/npy", "large.npy.gz", array("(1000000, 3)", bytes), "path",
                "1000000 rows of 3 values need 12 MiB, more than the 4 MiB of memory");
  check_refused("source/npy", "wraps.npy", array("(1099511627776, 16777216)", ""), "path",
                "header: the header claims impossibly many values");
  const std::string idx = big_endian(0x803) + big_endian(60000) + big_endian(28) + big_endian(28);
  check_refused("source/idx", "cut", idx + "ab", "test_images",
                "byte 18: the file ends after 0 of the 60000 rows");
  check_refused("source/idx", "large.gz", idx + "ab", "test_images",
                "60000 rows of 784 values need 45 MiB, more than the 4 MiB");
}

TEST_CASE("batches that do not fit are not begun") {
  const TempFolder folder;
  folder.write("data_batch_1.bin.gz", std::string(3073, '\1'));
  TestContext context;
  context.budget = std::size_t{4} << 20;
  const auto source = make_component<Source>(
      "source/cifar10",
      {{"path", folder.path()}, {"train_folds", std::vector<std::int64_t>{1}}, {"test", false}});
  check_message(message_of(*source, context), folder.path(),
                "10000 rows of 3073 values need 30 MiB, more than the 4 MiB");
}

TEST_CASE("pictures that claim more than their file can hold") {
  const std::size_t memory = std::size_t{1} << 30;
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != text.npos);
  };
  std::string png = png_file(4, 4, 1, std::string(16, 'x'));
  png.replace(16, 8, big_endian(8000) + big_endian(8000));
  // libpng looks at the header's checksum first.
  contains(refusal(png, memory), "cannot decode the PNG picture");
  const std::string jpeg = jpeg_file(8, 8, std::string(64, 'x'));
  contains(refusal(claiming(jpeg, 8000, 8000), memory), "which cannot fit in its");
  contains(refusal(claiming(jpeg, 65000, 65000), memory), "more than the limit of 67,108,864");
  contains(refusal("P5 70000 1 255\nab", memory), "or more than 65,535 in a row or column");
  contains(refusal("P5 5000 5000 255\nab", std::size_t{4} << 20),
           "which need 24 MiB, more than the 4 MiB of memory left for it");
  contains(refusal(png_file(4000, 4000, 1, std::string(16'000'000, 'x')), std::size_t{4} << 20),
           "which need 16 MiB, more than the 4 MiB");
}

TEST_CASE("archives that unpack to more than memory") {
  const std::string flat = png_file(1000, 1000, 1, std::string(1'000'000, 'x'));
  const TempFolder folder;
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 0; i < 40; ++i) files.emplace_back("a/" + std::to_string(i) + ".png", flat);
  files.emplace_back("b/1.png", flat);
  const std::string file = folder.archive("bomb.zip", files);
  TestContext context;
  context.budget = std::size_t{32} << 20;
  const auto grey = make_component<Source>("source/images", {{"path", file}, {"color", "grey"}});
  check_message(message_of(*grey, context), file, "the pictures so far need 78 MiB");
}

TEST_CASE("a picture as high as they come is brought to another size in little memory") {
  const Picture tall{60000, 2, 1, std::vector<std::uint8_t>(120000, 7)};
  CHECK(resized(tall, 3, 4000).values == std::vector<std::uint8_t>(12000, 7));
  const Picture small{2, 1, 1, {0, 200}};
  const Picture large = resized(small, 4000, 3);
  CHECK(large.values.front() == 0);
  CHECK(large.values.back() == 200);
}

TEST_CASE("protocol files that go on and on") {
  const TempFolder folder;
  const std::string file = folder.write("pairs.txt.gz", "1\n" + std::string(66 << 20, '\n'));
  CHECK_THROWS_WITH_AS(read_people(file), doctest::Contains("'NAME IMAGES' was expected"),
                       DataError);
  const std::string ended =
      folder.write("people.txt.gz", "1\nAnn 1\n" + std::string(66 << 20, '\n'));
  CHECK_THROWS_WITH_AS(read_people(ended),
                       doctest::Contains("holds more than 64 MiB of text, far more than such"),
                       DataError);
}

TEST_CASE("class names are text that can be written for others") {
  check_refused("source/csv", "names.csv", "1,2,a\n3,4,\xff\n", "path",
                "line 2: the label in column 3 is not UTF-8 text; save the file as UTF-8");
  check_refused("source/libsvm", "names.txt", "\xc0\x80 1:1\n", "path",
                "line 1: the label is not UTF-8 text");
  const TempFolder folder;
  TestContext context;
  const auto good = make_component<Source>(
      "source/csv", {{"path", folder.write("t.csv", "1,\xc3\xa9\n2,\xe2\x82\xac\n")}});
  CHECK(good->outline(context).classes == std::vector<std::string>{"\xc3\xa9", "\xe2\x82\xac"});
}

}  // namespace limits_test
