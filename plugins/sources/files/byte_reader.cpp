// SPDX-License-Identifier: MIT
#include "files/byte_reader.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t open_block = std::size_t{1} << 18;

std::string byte(std::uint64_t position) { return "byte " + std::to_string(position); }

}  // namespace

struct ByteReader::Archive {
  archive* handle = archive_read_new();
  ~Archive() {
    if (handle) archive_read_free(handle);
  }
  std::string message() const {
    const char* text = archive_error_string(handle);
    return text ? printable(text) : "unknown reason";
  }
};

ByteReader::ByteReader(const std::string& path)
    : path_(path), archive_(std::make_unique<Archive>()) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw DataError(path, "", "no such file; check the path and the data folder");
  if (std::filesystem::is_directory(path, ignored))
    throw DataError(path, "", "is a folder; name a file");
  if (!std::ifstream(path)) throw DataError(path, "", "cannot be opened; check its permissions");
  archive* a = archive_->handle;
  if (!a) throw std::bad_alloc();
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_format_raw(a);
  archive_read_support_format_empty(a);
  const auto fail = [&] {
    throw DataError(path, "byte 0",
                    "cannot be decompressed (" + archive_->message() +
                        "); the file is damaged or cut off, download it again");
  };
  if (archive_read_open_filename(a, path.c_str(), open_block) != ARCHIVE_OK) fail();
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(a, &entry);
  if (status == ARCHIVE_EOF)
    ended_ = true;
  else if (status != ARCHIVE_OK)
    fail();
  if (!ended_ && archive_filter_code(a, 0) == ARCHIVE_FILTER_NONE &&
      std::filesystem::is_regular_file(path, ignored))
    plain_size_ = std::filesystem::file_size(path, ignored);
}

ByteReader::~ByteReader() = default;

std::size_t ByteReader::read(std::span<unsigned char> out) {
  std::size_t done = 0;
  while (done < out.size() && !ended_) {
    const la_ssize_t got =
        archive_read_data(archive_->handle, out.data() + done, out.size() - done);
    if (got < 0)
      throw DataError(path_, byte(position_),
                      "cannot be decompressed further (" + archive_->message() +
                          "); the file is damaged or cut off, download it again");
    if (got == 0) ended_ = true;
    done += static_cast<std::size_t>(got);
    position_ += static_cast<std::uint64_t>(got);
  }
  return done;
}

void ByteReader::read_exactly(std::span<unsigned char> out, const std::string& what) {
  if (read(out) != out.size())
    throw DataError(path_, byte(position_),
                    "the file ends within " + what + "; it is cut off, download it again");
}

void ByteReader::expect_end(const std::string& after) {
  unsigned char next = 0;
  if (read({&next, 1}) != 0)
    throw DataError(path_, byte(position_ - 1),
                    "there are more data after " + after + "; check that it is the right file");
}

std::size_t append_bytes(ByteReader& reader, std::uint64_t count, std::vector<unsigned char>& out) {
  constexpr std::uint64_t smallest_step = std::uint64_t{64} << 10;
  constexpr std::uint64_t largest_step = std::uint64_t{4} << 20;
  const std::uint64_t size = reader.plain_size().value_or(0);
  const std::uint64_t known = std::min(count, size - std::min(size, reader.position()));
  out.reserve(out.size() + known);
  std::uint64_t total = 0;
  for (std::uint64_t step = smallest_step; total < count; step = std::min(2 * step, largest_step)) {
    // Up to the known end, allocates only what is needed; one byte after it tests for more.
    const std::uint64_t expected = total < known ? known - total : known > 0 ? 1 : step;
    const auto wanted = static_cast<std::size_t>(std::min({step, count - total, expected}));
    const std::size_t before = out.size();
    std::array<unsigned char, 1> one;
    const bool probing = wanted == one.size();
    if (!probing) out.resize(before + wanted);
    const std::size_t got =
        reader.read(probing ? std::span<unsigned char>(one) : std::span(out).subspan(before));
    if (probing && got == 1) out.push_back(one.front());
    out.resize(before + got);
    total += got;
    if (got < wanted) break;
  }
  // The spare capacity of a large vector was never touched, but that of thousands of small ones
  // adds up.
  if (out.size() < largest_step) out.shrink_to_fit();
  return total;
}

namespace {

constexpr std::array compressions = {".gz", ".xz", ".bz2", ".zst"};

}  // namespace

bool has_ending(const std::string& file, std::initializer_list<const char*> endings) {
  std::string name = lower_case(file);
  const auto packed = std::ranges::find_if(
      compressions, [&](const char* ending) { return name.ends_with(ending); });
  if (packed != compressions.end()) name.resize(name.rfind('.'));
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

std::string find_data_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  for (const char* suffix : compressions)
    if (std::filesystem::exists(path + suffix, ignored)) return path + suffix;
  return path;
}

}  // namespace semblance::sources
