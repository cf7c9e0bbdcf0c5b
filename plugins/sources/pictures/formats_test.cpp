// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "pictures/image_decoding.hpp"
#include "tests/sources_testing.hpp"

namespace formats_test {

using semblance::sources::Picture;

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

// Picture formats other than PNG, JPEG, PGM and PPM, and the handling of other files.

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

Picture decode(const std::string& file, Turning turning = Turning::apply) {
  return decode_picture({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()},
                        std::size_t{1} << 28, turning);
}

std::string refusal(const std::string& file) {
  try {
    decode(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(value >> (8 * k));
  return out;
}

/// `more`: masks or palette; `pixels`: rows padded to four bytes, the lowest first.
std::string bmp(int width, int height, int bits, const std::string& more, const std::string& pixels,
                std::uint32_t compression = 0, std::uint32_t colors = 0) {
  const auto start = static_cast<std::uint32_t>(54 + more.size());
  return "BM" + little(start + std::uint32_t(pixels.size()), 4) + little(0, 4) + little(start, 4) +
         little(40, 4) + little(std::uint32_t(width), 4) + little(std::uint32_t(height), 4) +
         little(1, 2) + little(std::uint32_t(bits), 2) + little(compression, 4) +
         little(std::uint32_t(pixels.size()), 4) + little(0, 8) + little(colors, 4) + little(0, 4) +
         more + pixels;
}

/// An entry of a TIFF directory with one number.
std::string entry(std::uint32_t tag, std::uint32_t value) {
  return little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4);
}

/// Grey, uncompressed, 3 wide and 2 high.
std::string tiff(const std::string& pixels, std::uint32_t orientation = 1,
                 std::uint32_t compression = 1) {
  return "II*" + std::string(1, '\0') + little(8, 4) + little(9, 2) + entry(256, 3) +
         entry(257, 2) + entry(258, 8) + entry(259, compression) + entry(262, 1) + entry(273, 122) +
         entry(274, orientation) + entry(278, 2) + entry(279, 6) + little(0, 4) + pixels;
}

std::string from_hex(std::string_view hex) {
  std::string out;
  for (std::size_t k = 0; k < hex.size(); k += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(k, 2)), nullptr, 16));
  return out;
}

/// Lossless, 5 wide and 3 high, with a rotation by 90 degrees; written by libwebp.
constexpr std::string_view webp_hex =
    "52494646ae00000057454250565038580a000000"
    "080000000400000200005650384c6e0000002f04"
    "80000077a0a6b69de6648b86acb1d168e6f18081"
    "ce06568cd6b6f1e3ef86308b634851b687680c51"
    "929446b2d5fc24bf4aa0f1d441bb54868d6afe03"
    "776fd2f5dba8d49fe6fe57cd6c4fab0787287c20"
    "8268c55c5e4e5010c906f5fca9a88e44d2282150"
    "44ff63cf79aa5f01455849461a0000004d4d002a"
    "0000000800010112000300000001000600000000"
    "0000";

std::string pgm(const std::string& pixels) {
  return "P5 " + std::to_string(pixels.size()) + " 1 255\n" + pixels;
}

bool told(const TestContext& context, const std::string& what) {
  return std::ranges::any_of(context.lines,
                             [&](const auto& line) { return line.find(what) != line.npos; });
}

std::unique_ptr<Source> images(const TempFolder& folder) {
  return make_component<Source>("source/images",
                                {{"path", folder.path() + "/set"}, {"color", std::string("grey")}});
}

}  // namespace

TEST_CASE("BMP: 24 and 32 bits, palettes, masks, from the top or the bottom") {
  const std::string two_rows("\1\2\3\4\5\6\0\0\7\10\11\12\13\14\0\0", 16);
  const Bytes turned = {9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4};
  CHECK(decode(bmp(2, 2, 24, "", two_rows)).values == turned);
  const Picture from_top = decode(bmp(2, -2, 24, "", two_rows));
  CHECK(from_top.values == Bytes{3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10});
  CHECK(decode(bmp(1, 1, 32, "", "\1\2\3\4")).values == Bytes{3, 2, 1});
  const std::string palette = little(0x0a141e, 4) + little(0xc8d2dc, 4);
  CHECK(decode(bmp(3, 1, 1, palette, std::string("\xa0\0\0\0", 4), 0, 2)).values ==
        Bytes{200, 210, 220, 10, 20, 30, 200, 210, 220});
  CHECK(decode(bmp(2, 1, 4, palette, std::string("\x10\0\0\0", 4), 0, 2)).values ==
        Bytes{200, 210, 220, 10, 20, 30});
  CHECK(refusal(bmp(2, 1, 8, palette, std::string("\1\2\0\0", 4), 0, 2)) ==
        "the BMP picture has a pixel of colour 2, but a palette of 2; convert, replace or remove "
        "it");
  const std::string masks = little(0xf800, 4) + little(0x7e0, 4) + little(0x1f, 4);
  CHECK(decode(bmp(2, 1, 16, masks, little(0xf800, 2) + little(0x0410, 2), 3)).values ==
        Bytes{255, 0, 0, 0, 130, 132});
  CHECK(refusal(bmp(2, 2, 24, "", two_rows.substr(1))).find("ends before its last pixel") !=
        std::string::npos);
  CHECK(refusal(bmp(2, 1, 8, palette, "\1\1\1\1", 1)).find("is compressed (form 1)") !=
        std::string::npos);
  CHECK(refusal(bmp(60000, 60000, 24, "", "")).find("claims 60000x60000 pixels") !=
        std::string::npos);
  CHECK(refusal("BM is a text").find("ends within its header") != std::string::npos);
}

TEST_CASE("TIFF: values as stored, turned where it says so") {
  CHECK(with_channels(decode(tiff("abcdef")), 1).values == Bytes{'a', 'b', 'c', 'd', 'e', 'f'});
  const Picture turned = with_channels(decode(tiff("abcdef", 6)), 1);
  CHECK(turned.height == 3);
  CHECK(turned.values == Bytes{'d', 'a', 'e', 'b', 'f', 'c'});
  CHECK(with_channels(decode(tiff("abcdef", 6), Turning::ignore), 1).values ==
        Bytes{'a', 'b', 'c', 'd', 'e', 'f'});
  CHECK(refusal(tiff("abc")).starts_with("cannot decode the TIFF picture ("));
  CHECK(refusal(tiff("abcdef", 1, 99)).find("TIFF picture") != std::string::npos);
}

TEST_CASE("WebP: lossless values, EXIF, and what is cut off") {
  const std::string file = from_hex(webp_hex);
  const Picture stored = decode(file, Turning::ignore), upright = decode(file);
  CHECK(stored.width == 5);
  REQUIRE(upright.width == 3);
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(upright.values[(x * 3 + 2 - y) * 3 + c] == stored.values[(y * 5 + x) * 3 + c]);
  CHECK(Bytes(stored.values.begin(), stored.values.begin() + 3) == Bytes{255, 228, 34});
  CHECK(refusal(file.substr(0, file.size() / 2)).find("the WebP picture") != std::string::npos);
}

TEST_CASE("PBM: 1 is black") {
  CHECK(decode("P1\n# c\n3 2\n101\n0 1 0\n").values == Bytes{0, 255, 0, 255, 0, 255});
  CHECK(decode(std::string("P4 9 1\n\x80\x80", 9)).values ==
        Bytes{0, 255, 255, 255, 255, 255, 255, 255, 0});
  CHECK(refusal("P4 9 2\n\x80\x80\1").find("ends before its last pixel") != std::string::npos);
  CHECK(refusal("P1 2 2 0 1 2 1").find("more than 0 and 1") != std::string::npos);
}

TEST_CASE("pictures and classes behind links count, and what is omitted is reported") {
  const TempFolder folder;
  folder.write("pool/x.pgm", pgm("ab"));
  folder.write("elsewhere/2.pgm", pgm("cd"));
  folder.write("set/a/1.pgm", pgm("ef"));
  folder.write("set/a/notes.txt", "none");
  folder.write("set/a/b.gif", "none");
  fs::create_symlink("../../pool/x.pgm", folder.path() + "/set/a/2.pgm");
  fs::create_symlink("../elsewhere", folder.path() + "/set/b");
  fs::create_symlink("nowhere.pgm", folder.path() + "/set/a/3.pgm");
  fs::create_symlink("..", folder.path() + "/set/a/round");
  TestContext context;
  const auto data = open_checked(*images(folder), context);
  CHECK(data->outline().classes == Texts{"a", "b"});
  CHECK(labels(*data) == Labels{0, 0, 1});
  CHECK(all_rows(*data).values == Floats{'e', 'f', 'a', 'b', 'c', 'd'});
  CHECK(told(context,
             "4 files are ignored: 1 .gif, 1 .txt, 1 behind broken links, 1 behind links to a "
             "folder above them"));
}

TEST_CASE("a class that loses all its files is an error, in folders and archives") {
  const TempFolder folder;
  TestContext context;
  folder.write("set/a/1.pgm", pgm("ab"));
  folder.write("set/b/1.pgm", pgm("ab"));
  folder.write("set/c/1.gif", "none");
  folder.write("readme.txt", "no class");
  check_message(message_of(*images(folder), context), folder.path() + "/set",
                "c: holds files, but none of them is a picture of a known format; 1 file is "
                "ignored: 1 .gif; convert them, or remove the folder if it is no class");
  const auto archive = folder.archive("a.zip", {{"a/a/1.pgm", pgm("ab")},
                                                {"a/b/1.pgm", pgm("cd")},
                                                {"a/readme", "no class"},
                                                {"a/c/1.gif", "none"}});
  check_message(message_of(*make_component<Source>("source/images", {{"path", archive}}), context),
                archive, "a/c: holds files, but none");
}

}  // namespace formats_test
