// SPDX-License-Identifier: MIT
#include "tests/sources_testing.hpp"

// clang-format off
#include <cstdio>  // jpeglib.h needs it first
#include <jpeglib.h>
// clang-format on
#include <archive.h>
#include <archive_entry.h>
#include <png.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

namespace semblance::testing {
namespace {

namespace fs = std::filesystem;

void add_entry(archive* a, const std::string& name, std::string_view content) {
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, name.c_str());
  archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  REQUIRE(archive_write_header(a, entry) == ARCHIVE_OK);
  REQUIRE(archive_write_data(a, content.data(), content.size()) == la_ssize_t(content.size()));
  archive_entry_free(entry);
}

}  // namespace

TempFolder::TempFolder() {
  std::string pattern = (fs::temp_directory_path() / "semblance-sources-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name, std::string_view content) const {
  const std::string file = path_ + "/" + name;
  fs::create_directories(fs::path(file).parent_path());
  const std::string extension = fs::path(name).extension().string();
  struct archive* a = archive_write_new();
  if (extension == ".gz")
    archive_write_add_filter_gzip(a);
  else if (extension == ".xz")
    archive_write_add_filter_xz(a);
  else if (extension == ".bz2")
    archive_write_add_filter_bzip2(a);
  else if (extension == ".zst")
    archive_write_add_filter_zstd(a);
  else {
    archive_write_free(a);
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
  archive_write_set_format_raw(a);
  REQUIRE(archive_write_open_filename(a, file.c_str()) == ARCHIVE_OK);
  add_entry(a, "data", content);
  REQUIRE(archive_write_close(a) == ARCHIVE_OK);
  archive_write_free(a);
  return file;
}

std::string TempFolder::archive(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& files) const {
  const std::string file = path_ + "/" + name;
  struct archive* a = archive_write_new();
  if (name.ends_with(".zip")) {
    archive_write_set_format_zip(a);
  } else {
    if (!name.ends_with(".tar")) archive_write_add_filter_gzip(a);
    archive_write_set_format_pax_restricted(a);
  }
  REQUIRE(archive_write_open_filename(a, file.c_str()) == ARCHIVE_OK);
  for (const auto& [entry, content] : files) add_entry(a, entry, content);
  REQUIRE(archive_write_close(a) == ARCHIVE_OK);
  archive_write_free(a);
  return file;
}

namespace {

/// Checks that a source restricted to some rows gives them as among all rows.
void check_some_rows(Source& source, const Dataset& all,
                     const std::function<bool(std::size_t)>& wanted, TestContext& context) {
  const Outline& outline = all.outline();
  std::vector<std::int64_t> numbers;
  for (std::size_t row = 0; row < outline.rows(); ++row)
    if (wanted(row)) numbers.push_back(all.number(row));
  source.keep_only(WantedRows::of(numbers));
  const Outline announced = source.outline(context);
  const auto some = source.open(context);
  source.keep_only({});
  CHECK(announced.classes == outline.classes);
  CHECK(announced.train_rows == outline.train_rows);
  CHECK(some->outline().layout == outline.layout);
  CHECK(some->outline().train_rows == outline.train_rows);
  CHECK(some->outline().test_rows == outline.test_rows);
  CHECK(some->outline().classes == outline.classes);
  CHECK(some->outline().columns == outline.columns);
  CHECK(some->outline().targets == outline.targets);
  CHECK(std::ranges::equal(std::as_bytes(some->targets()), std::as_bytes(all.targets())));  // NaN
  CHECK(some->bytes() <= all.bytes() + 64 * numbers.size() + 64);
  CHECK(std::ranges::equal(some->labels(), all.labels()));
  for (std::size_t row = 0; row < outline.rows(); ++row) {
    CHECK(some->number(row) == all.number(row));
    CHECK(some->name(row) == all.name(row));
    REQUIRE(some->values(row) == all.values(row));
    if (!wanted(row)) continue;
    const std::size_t size = all.values(row);
    FloatMatrix expected = room_for(outline.layout, {&size, 1}), found = expected;
    all.read(row, expected.view());
    some->read(row, found.view());
    CHECK(bytes_of(found.values) == bytes_of(expected.values));  // NaN is missing
    CHECK(found.columns == expected.columns);
  }
}

void check_some_rows(const Source& source, const Dataset& all, TestContext& context) {
  const std::size_t rows = all.outline().rows();
  if (!source.selects_rows() || rows > 3000) return;
  auto& some = const_cast<Source&>(source);
  const auto said = context.lines;
  check_some_rows(
      some, all, [](std::size_t) { return false; }, context);
  check_some_rows(
      some, all, [](std::size_t row) { return row % 3 == 1; }, context);
  check_some_rows(
      some, all, [&](std::size_t row) { return 2 * row < rows; }, context);
  context.lines = said;
}

}  // namespace

std::unique_ptr<Dataset> open_checked(const Source& source, TestContext& context) {
  for (const auto& file : source.files()) CHECK_MESSAGE(fs::exists(file), file);
  const Outline expected = source.outline(context);
  auto data = source.open(context);
  const Outline& outline = data->outline();
  CHECK(outline.layout == expected.layout);
  CHECK(outline.train_rows == expected.train_rows);
  CHECK(outline.test_rows == expected.test_rows);
  CHECK(outline.classes == expected.classes);
  CHECK(outline.values == expected.values);
  if (outline.layout.ragged()) {
    std::size_t values = 0;
    for (std::size_t i = 0; i < outline.rows(); ++i) values += data->values(i);
    CHECK(values == outline.values);
  }
  CHECK(data->labels().size() == outline.rows());
  CHECK(data->bytes() > 0);
  for (const auto label : data->labels()) {
    REQUIRE(label >= -1);
    REQUIRE(label < int(outline.classes.size()));
  }
  check_some_rows(source, *data, context);
  return data;
}

std::string message_of(const Source& source, TestContext& context) {
  try {
    source.open(context);
  } catch (const DataError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("not a DataError: ") + error.what();
  }
  return "no error";
}

void check_message(const std::string& message, const std::string& file, const std::string& wanted) {
  CAPTURE(message);
  CHECK(message.starts_with(file + ": "));
  CHECK(message.find(wanted) != message.npos);
  CHECK(message.find('\n') == message.npos);
  CHECK(message.find(';') != message.npos);  // a remedy follows
}

void check_seeded(const Source& source) {
  TestContext one(1, 5), two(2, 5), other(2, 6);
  const auto a = source.open(one), b = source.open(two), c = source.open(other);
  const FloatMatrix rows = all_rows(*a);
  CHECK(rows.values == all_rows(*b).values);
  CHECK(labels(*a) == labels(*b));
  CHECK(rows.values != all_rows(*c).values);
}

std::string real_data() {
  const char* folder = std::getenv("SEMBLANCE_DATA");
  if (folder && *folder) return folder;
  std::cout << "skipped: $SEMBLANCE_DATA is not set\n";
  return "";
}

std::string big_endian(std::uint32_t x) {
  return {char(x >> 24), char(x >> 16 & 255), char(x >> 8 & 255), char(x & 255)};
}

std::string npy(const std::string& dictionary, const std::string& bytes) {
  const std::string header = dictionary + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + char(header.size() & 255) +
         char(header.size() >> 8) + header + bytes;
}

std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string png_file(std::uint32_t width, std::uint32_t height, int channels,
                     const std::string& pixels) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  REQUIRE(png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr));
  std::string out(size, '\0');
  REQUIRE(png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0, nullptr));
  return out.substr(0, size);
}

std::string jpeg_file(int width, int height, const std::string& pixels) {
  jpeg_compress_struct jpeg = {};
  jpeg_error_mgr errors = {};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &buffer, &size);
  jpeg.image_width = static_cast<JDIMENSION>(width);
  jpeg.image_height = static_cast<JDIMENSION>(height);
  jpeg.input_components = 1;
  jpeg.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    std::string row = pixels.substr(jpeg.next_scanline * jpeg.image_width, jpeg.image_width);
    auto* line = reinterpret_cast<JSAMPROW>(row.data());
    jpeg_write_scanlines(&jpeg, &line, 1);
  }
  jpeg_finish_compress(&jpeg);
  const std::string out(reinterpret_cast<char*>(buffer), size);
  jpeg_destroy_compress(&jpeg);
  std::free(buffer);
  return out;
}

std::vector<int> class_counts(const Dataset& data, std::size_t first, std::size_t count) {
  std::vector<int> counts(data.outline().classes.size(), 0);
  for (const auto label : data.labels().subspan(first, count)) ++counts.at(label);
  return counts;
}

}  // namespace semblance::testing
