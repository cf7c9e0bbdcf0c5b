// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"

namespace broken_images_test {

using namespace semblance;
using namespace semblance::testing;

// Like broken_files_test.cpp, for image sources.

namespace {

std::string cut(const std::string& content, std::size_t bytes) { return content.substr(0, bytes); }

/// Bytes that hardly compress.
std::string noise(std::size_t count) {
  Random random(1);
  std::string out(count, '\0');
  for (char& c : out) c = static_cast<char>(random.below(256));
  return out;
}

}  // namespace

TEST_CASE("broken idx files") {
  const std::string images =
      big_endian(0x803) + big_endian(2) + big_endian(1) + big_endian(2) + "abcd";
  const std::string labels = big_endian(0x801) + big_endian(2) + std::string("\1\2");
  const auto check = [&](const std::string& i, const std::string& l, bool of_labels,
                         const std::string& message) {
    const TempFolder folder;
    const auto image_file = folder.write("images", i), label_file = folder.write("labels", l);
    TestContext context;
    check_message(message_of(*make_component<Source>("source/idx", {{"train_images", image_file},
                                                                    {"train_labels", label_file}}),
                             context),
                  of_labels ? label_file : image_file, message);
  };
  check("", labels, false, "byte 0: the file ends within the magic number");
  check("P5 something else", labels, false, "byte 0: the magic number is 1345658995");
  check(big_endian(0xd03) + "aaaaaaaaaaaaaa", labels, false, "type 13 instead of 8");
  check(labels, labels, false, "has 1 dimensions, but images have 3");
  check(images, images, true, "has 3 dimensions, but labels have 1");
  check(cut(images, 10), labels, false, "byte 10: the file ends within the header");
  check(cut(images, images.size() - 1), labels, false,
        "byte 19: the file ends after 1 of the 2 rows");
  check(images + "x", labels, false, "byte 20: there are more data after 2 rows");
  check(big_endian(0x803) + big_endian(0xffffffff) + big_endian(28) + big_endian(28) + "ab", labels,
        false, "the file ends after 0 of the 4294967295 rows");
  check(big_endian(0x803) + big_endian(1) + big_endian(0xffffffff) + big_endian(0xffffffff), labels,
        false, "rows of more than");
  check(big_endian(0x803) + big_endian(0) + big_endian(1) + big_endian(1), labels, false,
        "one of the dimensions is 0");
  check(images, big_endian(0x801) + big_endian(1) + "\1", true, "holds 1 labels, but");
}

TEST_CASE("idx files of two data sets") {
  const TempFolder folder;
  const auto a =
      folder.write("a", big_endian(0x803) + big_endian(1) + big_endian(1) + big_endian(1) + "x");
  const auto b =
      folder.write("b", big_endian(0x803) + big_endian(1) + big_endian(1) + big_endian(2) + "xy");
  const auto one = folder.write("one", big_endian(0x801) + big_endian(1) + "\1");
  const auto two = folder.write("two", big_endian(0x801) + big_endian(1) + "\2");
  TestContext context;
  check_message(message_of(*make_component<Source>(
                               "source/idx",
                               {{"train_images", a}, {"train_labels", one}, {"test_images", b}}),
                           context),
                b, "but the training file's are each a image of 1x1x1");
  check_message(message_of(*make_component<Source>("source/idx", {{"train_images", a},
                                                                  {"train_labels", one},
                                                                  {"test_images", a},
                                                                  {"test_labels", two}}),
                           context),
                two, "test row 1: its class '2' has no training rows");
}

TEST_CASE("broken CIFAR-10 batches") {
  const auto check = [](const std::string& content, const std::string& message,
                        const std::string& names = "") {
    const TempFolder folder;
    const auto file = folder.write("test_batch.bin", content);
    std::string named = file;
    if (!names.empty()) named = folder.write("batches.meta.txt", names);
    TestContext context;
    check_message(message_of(*make_component<Source>(
                                 "source/cifar10", {{"path", folder.path()},
                                                    {"train_folds", std::vector<std::int64_t>{}}}),
                             context),
                  named, message);
  };
  check("", "byte 0: the file ends within record 1 of 10000");
  check(std::string(3073 * 700 + 5, '\0'), "byte 2151105: the file ends within record 701");
  check(std::string(3073 * 501, '\0') + "\x0b" + std::string(3073 * 9500, '\0'),
        "byte 1539573: the label is 11");
  check(std::string(3073 * 10000 + 1, '\0'), "byte 30730000: there are more data");
  check("x", "has 3 lines with class names, not 10", "a\nb\nc\n");
  check("x", "names class 'a' twice", "a\nb\nc\nd\ne\nf\ng\nh\na\nj\n");
  const TempFolder folder;
  TestContext context;
  check_message(
      message_of(*make_component<Source>("source/cifar10", {{"path", folder.path()}}), context),
      folder.path() + "/data_batch_1.bin", "no such file");
}

TEST_CASE("broken pictures") {
  const std::string good = "P5 2 1 255\nab";
  const auto check = [](const std::vector<std::pair<std::string, std::string>>& files,
                        const std::string& message) {
    const TempFolder folder;
    const std::string set = folder.path() + "/set";
    for (const auto& [name, content] : files) folder.write("set/" + name, content);
    TestContext context;
    check_message(message_of(*make_component<Source>("source/images", {{"path", set}}), context),
                  set, message);
  };
  check({{"a/1.pgm", good}, {"b/1.pgm", "P5 1 2 255\nab"}},
        "b/1.pgm: is 1 wide and 2 high, but a/1.pgm");
  check({{"a/1.pgm", ""}}, "a/1.pgm: the picture file is empty");
  check({{"a/1.pgm", "hello there"}}, "a/1.pgm: is not a picture of a known format");
  check({{"a/1.pgm", "P5 2 1 255\na"}}, "a/1.pgm: the PGM or PPM picture ends before");
  check({{"a/1.pgm", "P5 2 x 255\na"}}, "header is damaged");
  check({{"a/1.pgm", "P2 2 1 9 5 10"}}, "holds 10, above its own maximum of 9");
  check({{"a/1.pgm", "P7 2 1 \1"}}, "is a P7 picture");
  check({{"a/1.png", "\x89PNG\r\n\x1a\n and no more"}}, "cannot decode the PNG picture");
  check({{"a/1.jpg", "\xff\xd8\xff\xe0 and no more"}}, "cannot decode the JPEG picture");
  check({{"1.pgm", good}, {"2.pgm", good}}, "has no sub-folders for the classes");
  check({{"1.pgm", good}, {"a/2.pgm", good}}, "1.pgm: is in no sub-folder");
  check({{"a/1.txt", good}}, "holds no pictures");
}

TEST_CASE("broken archives of pictures") {
  const TempFolder folder;
  TestContext context;
  const std::string good = "P5 200 100 255\n" + noise(20000);
  const auto whole = folder.archive("whole.tar.gz", {{"a/1.pgm", good}, {"b/1.pgm", good}});
  REQUIRE(message_of(*make_component<Source>("source/images", {{"path", whole}}), context) ==
          "no error");
  const std::string bytes = read_bytes(whole);
  const auto half = folder.write("half.tar", cut(bytes, bytes.size() / 2));
  check_message(message_of(*make_component<Source>("source/images", {{"path", half}}), context),
                half, "cannot be read");
  const auto text = folder.write("text.tar", "this is no archive at all");
  check_message(message_of(*make_component<Source>("source/images", {{"path", text}}), context),
                text, "cannot be read as a folder or an archive");
  const auto empty = folder.write("empty.tar", "");
  check_message(message_of(*make_component<Source>("source/images", {{"path", empty}}), context),
                empty, "cannot be read as");
}

}  // namespace broken_images_test
