// SPDX-License-Identifier: MIT
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

/// libpng is C: it reports through function pointers, is left by a jump, and must not be left by an
/// exception.
struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::span<const std::uint8_t> file;
  std::size_t at = 0;
  std::jmp_buf escape;
  char message[128] = "";

  PngReader() = default;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  [[noreturn]] void fail() const {
    throw Error(std::string("cannot decode the PNG picture (") + message +
                "); replace or remove it");
  }
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
  std::snprintf(reader->message, sizeof reader->message, "%s", message);
  std::longjmp(reader->escape, 1);
}

/// Warnings are ignored: they affect no pixel.
void on_warning(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
  if (reader->file.size() - reader->at < count) png_error(png, "it is cut off");
  std::memcpy(out, reader->file.data() + reader->at, count);
  reader->at += count;
}

/// Reads what comes before the pixels; false with a message on failure. Chunks about the display of
/// values, such as gAMA, are skipped: values are used as stored. No object with a destructor may
/// live in functions that are left by a longjmp.
bool start(PngReader& reader) {
  if (setjmp(reader.escape)) return false;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  if (reader.png) reader.info = png_create_info_struct(reader.png);
  if (!reader.info) {
    std::snprintf(reader.message, sizeof reader.message, "out of memory");
    return false;
  }
  png_set_read_fn(reader.png, &reader, read_bytes);
  png_set_keep_unknown_chunks(reader.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
#ifdef PNG_eXIf_SUPPORTED
  png_set_keep_unknown_chunks(reader.png, PNG_HANDLE_CHUNK_AS_DEFAULT,
                              reinterpret_cast<png_const_bytep>("eXIf"), 1);
#endif
  png_read_info(reader.png, reader.info);
  return true;
}

/// Requests 8 bits per value, colours instead of indices, and opacity if any pixel has one. Returns
/// the number of channels; 0 with a message on failure.
std::size_t ask_for_bytes(PngReader& reader) {
  if (setjmp(reader.escape)) return 0;
  png_set_expand(reader.png);
  png_set_scale_16(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return png_get_channels(reader.png, reader.info);
}

bool decode(PngReader& reader, std::uint8_t* out, std::size_t height, std::size_t stride) {
  if (setjmp(reader.escape)) return false;
  const int passes = png_set_interlace_handling(reader.png);
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t y = 0; y < height; ++y) png_read_row(reader.png, out + y * stride, nullptr);
  return true;
}

/// The orientation from EXIF data before or after the pixels. A file truncated after its last pixel
/// has everything that is needed.
int orientation_of(PngReader& reader) {
#ifdef PNG_eXIf_SUPPORTED
  if (setjmp(reader.escape)) return 1;
  png_uint_32 count = 0;
  png_bytep exif = nullptr;
  if (!png_get_eXIf_1(reader.png, reader.info, &count, &exif))
    png_read_end(reader.png, reader.info);
  if (png_get_eXIf_1(reader.png, reader.info, &count, &exif))
    return exif_orientation({exif, count});
#endif
  return 1;
}

/// Deflate compresses at most by 1032, so a file that is too small cannot have the pixels that its
/// header claims.
void check_file_size(const PngReader& reader, std::uint64_t height, std::uint64_t width) {
  const std::uint64_t bits = std::uint64_t{png_get_channels(reader.png, reader.info)} *
                             png_get_bit_depth(reader.png, reader.info);
  if (height * width * bits / 8 > 1032 * std::uint64_t{reader.file.size()})
    refuse_claim("PNG", height, width, reader.file.size());
}

}  // namespace

Picture decode_png(std::span<const std::uint8_t> file, std::size_t memory) {
  PngReader reader;
  reader.file = file;
  if (!start(reader)) reader.fail();
  const std::size_t height = png_get_image_height(reader.png, reader.info);
  const std::size_t width = png_get_image_width(reader.png, reader.info);
  check_picture_size(height, width, 1, memory);
  check_file_size(reader, height, width);
  const std::size_t channels = ask_for_bytes(reader);
  if (channels == 0) reader.fail();
  check_picture_size(height, width, channels, memory);
  Picture out{height, width, channels, {}};
  out.values.resize(height * width * channels);
  if (!decode(reader, out.values.data(), height, width * channels)) reader.fail();
  out.orientation = orientation_of(reader);
  if (channels % 2 == 0) blend_with_white(out);
  return out;
}

}  // namespace semblance::sources
