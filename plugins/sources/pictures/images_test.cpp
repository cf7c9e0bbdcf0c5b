// SPDX-License-Identifier: MIT
#include "pictures/image_decoding.hpp"
#include "tests/sources_testing.hpp"

namespace images_test {

using semblance::sources::Picture;

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::string pgm(int width, int height, const std::string& pixels) {
  return "P5\n# made by a test\n" + std::to_string(width) + " " + std::to_string(height) +
         "\n255\n" + pixels;
}

std::string png_of(std::uint32_t width, std::uint32_t height, int channels, const Bytes& pixels) {
  return png_file(width, height, channels, {pixels.begin(), pixels.end()});
}

Picture decode(const std::string& file) {
  return decode_picture({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()},
                        std::size_t{1} << 28);
}

const Parameters grey = {{"color", std::string("grey")}};
Parameters with(Parameters p, const std::string& name, const Value& value) {
  p.emplace_back(name, value);
  return p;
}

}  // namespace

TEST_CASE("PNG, JPEG, PGM and PPM give their pixels") {
  CHECK(decode(pgm(2, 2, "abcd")).values == Bytes{'a', 'b', 'c', 'd'});
  CHECK(decode("P2 2 1 15 0 15").values == Bytes{0, 255});
  CHECK(decode("P3\n1 1\n255\n1 2 3\n").values == Bytes{1, 2, 3});
  CHECK(decode(std::string("P6 1 1 65535\n\xff\xff\0\0\x80\0", 19)).values == Bytes{255, 0, 128});
  const Bytes rgb = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7};
  const Picture png = decode(png_of(2, 2, 3, rgb));
  CHECK(png.channels == 3);
  CHECK(png.values == rgb);
  CHECK(decode(png_of(3, 1, 1, {0, 100, 255})).values == Bytes{0, 100, 255});
  const Picture clear = decode(png_of(1, 1, 4, {10, 20, 30, 0}));
  CHECK(clear.values == Bytes{255, 255, 255});
  Bytes ramp(16 * 16);
  for (std::size_t p = 0; p < ramp.size(); ++p) ramp[p] = std::uint8_t(10 * (p % 16) + 20);
  const Picture jpeg = decode(jpeg_file(16, 16, {ramp.begin(), ramp.end()}));
  REQUIRE(jpeg.values.size() == ramp.size());
  for (std::size_t p = 0; p < ramp.size(); ++p) CHECK(std::abs(jpeg.values[p] - ramp[p]) <= 2);
}

TEST_CASE("colours become grey by luma weights, grey becomes three equal channels") {
  const Picture grey_of = with_channels({1, 3, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255}}, 1);
  CHECK(grey_of.values == Bytes{76, 150, 29});
  CHECK(with_channels({1, 1, 1, {5}}, 3).values == Bytes{5, 5, 5});
}

TEST_CASE("resizing averages where it shrinks, interpolates where it grows") {
  const Picture board{4, 4, 1, {0, 100, 0, 100, 100, 0, 100, 0, 0, 100, 0, 100, 100, 0, 100, 0}};
  for (const auto value : resized(board, 2, 2).values) CHECK(std::abs(value - 50) <= 2);
  CHECK(resized({1, 2, 1, {0, 100}}, 1, 4).values == Bytes{0, 25, 75, 100});
  CHECK(resized({2, 2, 1, {7, 7, 7, 7}}, 5, 3).values == Bytes(15, 7));
}

TEST_CASE("one sub-folder a class; files by name; others are passed over and told") {
  const TempFolder folder;
  folder.write("set/b/2.pgm", pgm(2, 1, "cd"));
  folder.write("set/a/10.pgm", pgm(2, 1, "ab"));
  folder.write("set/b/deeper/1.PGM", pgm(2, 1, "ef"));
  folder.write("set/b/notes.txt", "no picture");
  folder.write("set/b/.hidden.pgm", "no picture");
  TestContext context;
  const auto source =
      make_component<Source>("source/images", with(grey, "path", folder.path() + "/set"));
  CHECK(source->files().size() == 3);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().layout == Layout::image(1, 2, 1));
  CHECK(data->outline().classes == std::vector<std::string>{"a", "b"});
  CHECK(labels(*data) == std::vector<std::int32_t>{0, 1, 1});
  CHECK(all_rows(*data).values == std::vector<float>{'a', 'b', 'c', 'd', 'e', 'f'});
  CHECK(data->name(0) == "a/10.pgm");
  CHECK(data->name(2) == "b/deeper/1.PGM");
  REQUIRE(!context.lines.empty());
  CHECK(context.lines[0].find("1 file is ignored: 1 .txt") != std::string::npos);
}

TEST_CASE("archives: shared folders are passed over, colours are planar") {
  const TempFolder folder;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"top/cats/1.png", png_of(2, 1, 3, {1, 2, 3, 4, 5, 6})},
      {"top/readme", "text"},
      {"top/dogs/1.png", png_of(2, 1, 1, {7, 8})}};
  for (const char* name : {"a.tar.gz", "a.zip"}) {
    CAPTURE(std::string(name));
    TestContext context;
    const auto data = open_checked(
        *make_component<Source>("source/images", {{"path", folder.archive(name, files)}}), context);
    CHECK(data->outline().classes == std::vector<std::string>{"cats", "dogs"});
    CHECK(all_rows(*data).values == std::vector<float>{1, 4, 2, 5, 3, 6, 7, 8, 7, 8, 7, 8});
  }
}

TEST_CASE("sizes are brought to one, and pictures without classes are for testing") {
  const TempFolder folder;
  folder.write("set/1.pgm", pgm(2, 2, "aaaa"));
  folder.write("set/2.pgm", pgm(3, 1, "bbb"));
  TestContext context;
  auto parameters = with(grey, "path", folder.path() + "/set");
  parameters = with(parameters, "role", std::string("test"));
  const auto data =
      open_checked(*make_component<Source>(
                       "source/images", with(parameters, "size", std::vector<std::int64_t>{2, 3})),
                   context);
  CHECK(data->outline().layout == Layout::image(2, 3, 1));
  CHECK(data->outline().classes.empty());
  CHECK(all_rows(*data).values ==
        std::vector<float>{97, 97, 97, 97, 97, 97, 98, 98, 98, 98, 98, 98});
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/images", with(grey, "size", std::vector<std::int64_t>{2})),
      doctest::Contains("two numbers"), Error);
}

TEST_CASE("a picture that claims to be huge is refused before memory is taken") {
  CHECK_THROWS_WITH_AS(decode("P5 90000000 9000 255\nabc"), doctest::Contains("90000000x9000"),
                       Error);
  CHECK_THROWS_WITH_AS(decode("P5 8000 8000 255\nabc"), doctest::Contains("ends before"), Error);
}

}  // namespace images_test
