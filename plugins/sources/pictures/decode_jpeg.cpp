// SPDX-License-Identifier: MIT
// clang-format off
#include <cstdio>     // jpeglib.h needs it first
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <csetjmp>
#include <cstring>
#include <string>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

/// libjpeg reports through function pointers and wants to be left by a jump: it is C, and must
/// not be left by an exception.
struct JpegReader {
  jpeg_decompress_struct jpeg;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX] = "";
};

void on_error(j_common_ptr info) {
  auto* reader = static_cast<JpegReader*>(info->client_data);
  info->err->format_message(info, reader->message);
  std::longjmp(reader->escape, 1);
}

/// Warnings (level -1) mean damaged data and are errors here, except for bytes between segments,
/// which many cameras write and which affect no pixel.
void on_message(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code != JWRN_EXTRANEOUS_DATA) on_error(info);
}

/// A picture may have any number of refining scans, each of which takes as long as the whole: more
/// than any encoder makes are an attack.
void on_progress(j_common_ptr info) {
  constexpr int most_scans = 200;
  auto* reader = static_cast<JpegReader*>(info->client_data);
  if (reader->jpeg.input_scan_number <= most_scans) return;
  std::snprintf(reader->message, sizeof reader->message, "it has more than %d scans", most_scans);
  std::longjmp(reader->escape, 1);
}

/// Reads the header; false with a message on failure. No object with a destructor may live here.
bool start(JpegReader& reader, std::span<const std::uint8_t> file) {
  if (setjmp(reader.escape)) return false;
  jpeg_create_decompress(&reader.jpeg);
  reader.jpeg.client_data = &reader;
  jpeg_mem_src(&reader.jpeg, file.data(), file.size());
  constexpr int exif_marker = JPEG_APP0 + 1;
  constexpr unsigned longest = 0xFFFF;
  jpeg_save_markers(&reader.jpeg, exif_marker, longest);
  jpeg_read_header(&reader.jpeg, TRUE);
  return true;
}

bool decode(JpegReader& reader, std::uint8_t* out, std::size_t stride) {
  if (setjmp(reader.escape)) return false;
  reader.progress.progress_monitor = on_progress;
  reader.jpeg.progress = &reader.progress;
  jpeg_start_decompress(&reader.jpeg);
  while (reader.jpeg.output_scanline < reader.jpeg.output_height) {
    JSAMPROW row = out + reader.jpeg.output_scanline * stride;
    jpeg_read_scanlines(&reader.jpeg, &row, 1);
  }
  jpeg_finish_decompress(&reader.jpeg);
  return true;
}

/// Without arithmetic coding, a block of 64 values takes at least one bit and represents at most
/// 4x4 blocks of pixels. So a file that is too small cannot have the pixels that its header claims.
void check_claim(const jpeg_decompress_struct& jpeg, std::uint64_t bytes) {
  if (jpeg.arith_code)
    throw Error("the JPEG picture uses arithmetic coding, which is not supported; convert it");
  const std::uint64_t pixels = std::uint64_t{jpeg.image_height} * jpeg.image_width;
  if (pixels / 512 > bytes) refuse_claim("JPEG", jpeg.image_height, jpeg.image_width, bytes);
}

/// Converts cyan, magenta, yellow and black to RGB; Adobe's programs store them inverted.
void make_rgb(Picture& picture, bool inverted) {
  constexpr unsigned most = 255;
  std::uint8_t* out = picture.values.data();
  const auto light = [&](std::uint8_t ink) { return inverted ? ink : most - ink; };
  for (std::size_t p = 0; p < picture.height * picture.width; ++p) {
    const std::uint8_t* ink = picture.values.data() + 4 * p;
    const unsigned black = light(ink[3]);
    for (std::size_t c = 0; c < 3; ++c)
      *out++ = static_cast<std::uint8_t>((light(ink[c]) * black + most / 2) / most);
  }
  picture.channels = 3;
  picture.values.resize(picture.height * picture.width * 3);
}

int orientation_of(const jpeg_decompress_struct& jpeg) {
  constexpr std::size_t name = 6;
  for (const auto* marker = jpeg.marker_list; marker; marker = marker->next)
    if (marker->data_length > name && std::memcmp(marker->data, "Exif\0\0", name) == 0)
      return exif_orientation({marker->data + name, marker->data_length - name});
  return 1;
}

}  // namespace

Picture decode_jpeg(std::span<const std::uint8_t> file, std::size_t memory) {
  JpegReader reader = {};
  reader.jpeg.err = jpeg_std_error(&reader.errors);
  reader.errors.error_exit = on_error;
  reader.errors.emit_message = on_message;
  reader.jpeg.client_data = &reader;
  struct Guard {
    JpegReader& reader;
    ~Guard() { jpeg_destroy_decompress(&reader.jpeg); }
  } guard{reader};
  const auto fail = [&] {
    throw Error(std::string("cannot decode the JPEG picture (") + reader.message +
                "); replace or remove it");
  };
  if (!start(reader, file)) fail();
  const int components = reader.jpeg.num_components;
  if (components != 1 && components != 3 && components != 4)
    throw Error("the JPEG picture has " + std::to_string(components) +
                " colour channels; convert it");
  const auto channels = static_cast<std::size_t>(components);
  // All coefficients of a progressive picture stay in memory until it is complete.
  check_picture_size(reader.jpeg.image_height, reader.jpeg.image_width,
                     channels * (reader.jpeg.progressive_mode ? 3 : 1), memory);
  check_claim(reader.jpeg, file.size());
  reader.jpeg.out_color_space = components == 1   ? JCS_GRAYSCALE
                                : components == 3 ? JCS_RGB
                                                  : JCS_CMYK;
  Picture out{reader.jpeg.image_height, reader.jpeg.image_width, channels, {}};
  out.values.resize(out.height * out.width * out.channels);
  out.orientation = orientation_of(reader.jpeg);
  if (!decode(reader, out.values.data(), out.width * out.channels)) fail();
  if (components == 4) make_rgb(out, reader.jpeg.saw_Adobe_marker != 0);
  return out;
}

}  // namespace semblance::sources
