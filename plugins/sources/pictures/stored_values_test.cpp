// SPDX-License-Identifier: MIT
// Values and orientation as files store them, with files written byte by byte here.
#include <array>
#include <utility>

#include "pictures/image_decoding.hpp"
#include "tests/sources_testing.hpp"

namespace stored_values_test {

using semblance::sources::Picture;

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

Picture decode(const std::string& file, Turning turning = Turning::apply) {
  return decode_picture({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()},
                        std::size_t{1} << 28, turning);
}

std::uint32_t crc_of(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

std::uint32_t adler_of(const std::string& bytes) {
  std::uint32_t a = 1, b = 0;
  for (const unsigned char byte : bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

std::string chunk(const std::string& type, const std::string& content) {
  return big_endian(static_cast<std::uint32_t>(content.size())) + type + content +
         big_endian(crc_of(type + content));
}

/// A zlib stream of one block that is not compressed.
std::string pixels_chunk(const std::string& rows) {
  const auto low = char(rows.size() & 255), high = char(rows.size() >> 8);
  return chunk("IDAT", std::string("\x78\x01\x01", 3) + low + high + char(~low) + char(~high) +
                           rows + big_endian(adler_of(rows)));
}

/// A PNG of one row.
std::string png_row(std::uint32_t width, int depth, int type, const std::string& pixels,
                    const std::string& before = "", const std::string& behind = "") {
  const std::string header =
      big_endian(width) + big_endian(1) + char(depth) + char(type) + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + before +
         pixels_chunk(std::string(1, '\0') + pixels) + behind + chunk("IEND", "");
}

constexpr int grey_type = 0, palette_type = 3, grey_alpha_type = 4, rgb_alpha_type = 6;

/// EXIF data with a make, followed by the orientation.
std::string exif(int orientation, bool big) {
  const auto number = [big](std::uint32_t value, int bytes) {
    std::string text;
    for (int k = 0; k < bytes; ++k) text += char(value >> 8 * (big ? bytes - 1 - k : k) & 255);
    return text;
  };
  return (big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2) +  //
         number(0x010F, 2) + number(2, 2) + number(4, 4) + "abc" + '\0' +     //
         number(0x0112, 2) + number(3, 2) + number(1, 4) +
         number(static_cast<std::uint32_t>(orientation), 2) + number(0, 2) + number(0, 4);
}

std::string with_exif(const std::string& jpeg, const std::string& tiff) {
  const std::string content = std::string("Exif\0\0", 6) + tiff;
  const std::size_t length = content.size() + 2;
  return jpeg.substr(0, 2) + "\xff\xe1" + char(length >> 8) + char(length & 255) + content +
         jpeg.substr(2);
}

/// 32 wide, 16 high, in two blocks of 16, so that row 0 and column 0 are recognisable.
const std::string two_greys = [] {
  std::string pixels(32 * 16, '\x10');
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 32; ++x) pixels[y * 32 + x] = x < 16 ? '\xf0' : '\x80';
  return pixels;
}();

/// The brightness a little inside of a corner.
int corner(const Picture& picture, bool bottom, bool right) {
  const std::size_t y = bottom ? picture.height - 3 : 2, x = right ? picture.width - 3 : 2;
  return picture.values[(y * picture.width + x) * picture.channels];
}

}  // namespace

TEST_CASE("transparent pixels are blended with white as their values are stored") {
  CHECK(decode(png_row(3, 8, grey_alpha_type, std::string("\0\x80\0\xff\x64\0", 6))).values ==
        Bytes{127, 0, 255});
  CHECK(decode(png_row(1, 8, rgb_alpha_type, std::string("\0\x64\xff\x80", 4))).values ==
        Bytes{127, 177, 255});
  CHECK(decode(png_row(1, 16, grey_alpha_type, std::string("\0\0\x80\x80", 4))).values ==
        Bytes{127});
  SUBCASE("in a palette too, and where one grey is said to be transparent") {
    const std::string colours = chunk("PLTE", std::string("\0\0\0\x0a\x14\x1e", 6));
    CHECK(decode(png_row(2, 8, palette_type, std::string("\0\x01", 2),
                         colours + chunk("tRNS", "\x80")))
              .values == Bytes{127, 127, 127, 10, 20, 30});
    CHECK(decode(png_row(2, 8, grey_type, "\x05\x06", chunk("tRNS", std::string("\0\x05", 2))))
              .values == Bytes{255, 6});
  }
}

TEST_CASE("what a file says of how to show its values changes none of them") {
  const std::string linear = chunk("gAMA", big_endian(100000));
  const std::string usual = chunk("gAMA", big_endian(45455)) + chunk("sRGB", std::string(1, '\0'));
  for (const std::string& before : {std::string(), linear, usual}) {
    CHECK(decode(png_row(2, 8, grey_type, "\x40\x88", before)).values == Bytes{64, 136});
    CHECK(
        decode(png_row(3, 16, grey_type, std::string("\0\xff\x80\0\xff\xff", 6), before)).values ==
        Bytes{1, 128, 255});
    CHECK(decode(png_row(4, 2, grey_type, "\x1b", before)).values == Bytes{0, 85, 170, 255});
  }
}

TEST_CASE("pictures are turned as EXIF's definition of row 0 and column 0 says") {
  struct Case {
    int orientation;
    bool row_is_vertical, first_row_last, first_column_last;
  };
  // CIPA DC-008, tag 0112: the visual side of row 0, then of column 0.
  const std::vector<Case> cases = {{1, false, false, false}, {2, false, false, true},
                                   {3, false, true, true},   {4, false, true, false},
                                   {5, true, false, false},  {6, true, true, false},
                                   {7, true, true, true},    {8, true, false, true}};
  const std::string jpeg = jpeg_file(32, 16, two_greys);
  for (const Case& c : cases)
    for (const bool big : {false, true}) {
      CAPTURE(c.orientation);
      const Picture picture = decode(with_exif(jpeg, exif(c.orientation, big)));
      CHECK(picture.height == (c.row_is_vertical ? 32 : 16));
      CHECK(picture.width == (c.row_is_vertical ? 16 : 32));
      const auto seen = [&](bool last_row, bool last_column) {
        const bool row_side = c.first_row_last != last_row;
        const bool column_side = c.first_column_last != last_column;
        return c.row_is_vertical ? corner(picture, column_side, row_side)
                                 : corner(picture, row_side, column_side);
      };
      CHECK(std::abs(seen(false, false) - 0xf0) < 8);
      CHECK(std::abs(seen(false, true) - 0x80) < 8);
      CHECK(std::abs(seen(true, false) - 0x10) < 8);
      CHECK(std::abs(seen(true, true) - 0x10) < 8);
      const Picture stored = decode(with_exif(jpeg, exif(c.orientation, big)), Turning::ignore);
      CHECK(stored.values == decode(jpeg).values);
    }
}

TEST_CASE("PNG files say their orientation before or behind the pixels") {
  const std::string turned = chunk("eXIf", exif(6, true));
  for (const Picture& picture : {decode(png_row(3, 8, grey_type, "abc", turned)),
                                 decode(png_row(3, 8, grey_type, "abc", "", turned))}) {
    CHECK(picture.height == 3);
    CHECK(picture.width == 1);
    CHECK(picture.values == Bytes{'a', 'b', 'c'});
  }
  const std::string whole = png_row(3, 8, grey_type, "abc", "", turned);
  CHECK(decode(whole.substr(0, whole.size() - 20)).height == 1);
}

TEST_CASE("EXIF data that cannot be understood turn nothing") {
  const std::string jpeg = jpeg_file(32, 16, two_greys);
  const std::string good = exif(6, false);
  for (const std::string& tiff :
       {std::string(), good.substr(0, 20), exif(9, false), exif(0, true), "XX" + good.substr(2),
        good.substr(0, 4) + "\xff\xff\xff\xff" + good.substr(8)})
    CHECK(decode(with_exif(jpeg, tiff)).values == decode(jpeg).values);
}

TEST_CASE("source/images turns pictures unless a parameter forbids it") {
  const TempFolder folder;
  folder.write("set/a/1.jpg", with_exif(jpeg_file(32, 16, two_greys), exif(6, true)));
  TestContext context;
  const Parameters plain = {{"path", folder.path() + "/set"}, {"color", std::string("grey")}};
  CHECK(open_checked(*make_component<Source>("source/images", plain), context)->outline().layout ==
        Layout::image(32, 16, 1));
  Parameters ignoring = plain;
  ignoring.emplace_back("orientation", std::string("ignore"));
  CHECK(
      open_checked(*make_component<Source>("source/images", ignoring), context)->outline().layout ==
      Layout::image(16, 32, 1));
}

}  // namespace stored_values_test
