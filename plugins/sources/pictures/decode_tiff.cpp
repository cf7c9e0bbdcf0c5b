// SPDX-License-Identifier: MIT
#include <tiffio.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "pictures/image_decoding.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

/// A file in memory, and libtiff's first error about it.
struct TiffFile {
  std::span<const std::uint8_t> bytes;
  std::uint64_t at = 0;
  char message[256] = "";
};

tmsize_t read_bytes(thandle_t handle, void* out, tmsize_t count) {
  auto* file = static_cast<TiffFile*>(handle);
  if (file->at >= file->bytes.size() || count <= 0) return 0;
  const std::size_t size =
      std::min<std::uint64_t>(static_cast<std::uint64_t>(count), file->bytes.size() - file->at);
  std::memcpy(out, file->bytes.data() + file->at, size);
  file->at += size;
  return static_cast<tmsize_t>(size);
}
tmsize_t write_bytes(thandle_t, void*, tmsize_t) { return 0; }
toff_t seek(thandle_t handle, toff_t offset, int from) {
  auto* file = static_cast<TiffFile*>(handle);
  const std::uint64_t start = from == SEEK_SET   ? 0
                              : from == SEEK_CUR ? file->at
                                                 : file->bytes.size();
  return file->at = start + offset;
}
int close_file(thandle_t) { return 0; }
toff_t size_of(thandle_t handle) { return static_cast<TiffFile*>(handle)->bytes.size(); }

int on_error(TIFF*, void* data, const char*, const char* format, std::va_list arguments) {
  auto* file = static_cast<TiffFile*>(data);
  if (file->message[0] == '\0')
    std::vsnprintf(file->message, sizeof file->message, format, arguments);
  return 1;
}
int on_warning(TIFF*, void*, const char*, const char*, std::va_list) { return 1; }

using OpenTiff = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

[[noreturn]] void fail(const TiffFile& file) {
  throw Error("cannot decode the TIFF picture (" +
              std::string(file.message[0] ? file.message : "it is damaged") +
              "); convert, replace or remove it");
}

OpenTiff open(TiffFile& file, std::size_t memory) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
      TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &file);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, &file);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(memory));
  // m: the file is not mapped.
  OpenTiff tiff(TIFFClientOpenExt("picture", "rm", &file, read_bytes, write_bytes, seek, close_file,
                                  size_of, nullptr, nullptr, options.get()),
                TIFFClose);
  if (!tiff) fail(file);
  return tiff;
}

/// No compression method expands a byte to more.
void check_claim(TIFF* tiff, std::uint64_t height, std::uint64_t width, std::size_t bytes) {
  constexpr std::uint64_t most_a_byte = 4096;
  std::uint16_t bits = 1, samples = 1;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  if (height * width / 8 * bits * samples > most_a_byte * bytes)
    refuse_claim("TIFF", height, width, bytes);
}

/// The pages after the first may only be thumbnails or masks.
void check_pages(TIFF* tiff) {
  constexpr std::uint32_t version_or_mask = FILETYPE_REDUCEDIMAGE | FILETYPE_MASK;
  for (int page = 0; TIFFReadDirectory(tiff); ++page) {
    std::uint32_t type = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &type);
    if ((type & version_or_mask) == 0 || page > 100)
      throw Error("the TIFF picture has several pages; split it into files of one page");
  }
}

}  // namespace

Picture decode_tiff(std::span<const std::uint8_t> bytes, std::size_t memory) {
  TiffFile file{bytes};
  const OpenTiff tiff = open(file, memory);
  std::uint32_t height = 0, width = 0;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
  // Four bytes per pixel from libtiff, three as stored.
  check_picture_size(height, width, 4 + 3, memory);
  check_claim(tiff.get(), height, width, bytes.size());
  std::uint16_t orientation = 1;
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_ORIENTATION, &orientation);
  if (orientation < 1 || orientation > 8) orientation = 1;
  char reason[1024] = "";
  if (!TIFFRGBAImageOK(tiff.get(), reason))
    throw Error("the TIFF picture is of a form that is not supported (" + std::string(reason) +
                "); convert it");
  // Requested as stored, without rotation.
  std::vector<std::uint32_t> pixels(std::size_t{height} * width);
  if (!TIFFReadRGBAImageOriented(tiff.get(), width, height, pixels.data(), orientation, 1))
    fail(file);
  Picture out{height, width, 3, {}};
  out.orientation = orientation;
  out.values.resize(pixels.size() * 3);
  for (std::size_t p = 0; p < pixels.size(); ++p) {
    // Colours are multiplied by the opacity already.
    const std::uint32_t white = 255 - TIFFGetA(pixels[p]);
    out.values[3 * p] = static_cast<std::uint8_t>(TIFFGetR(pixels[p]) + white);
    out.values[3 * p + 1] = static_cast<std::uint8_t>(TIFFGetG(pixels[p]) + white);
    out.values[3 * p + 2] = static_cast<std::uint8_t>(TIFFGetB(pixels[p]) + white);
  }
  check_pages(tiff.get());
  return out;
}

}  // namespace semblance::sources
