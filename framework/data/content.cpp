// SPDX-License-Identifier: MIT
#include "data/content.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {

namespace {

namespace fs = std::filesystem;

void demand(bool worked) {
  if (!worked) throw Error("OpenSSL cannot compute SHA-256 on this machine");
}

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

/// SHA-256 (FIPS 180-4) of data that come piece by piece.
class Sha256 {
 public:
  Sha256() { demand(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1); }

  void add(const void* data, std::size_t bytes) {
    demand(EVP_DigestUpdate(context_.get(), data, bytes) == 1);
  }

  /// 64 hexadecimal digits; ends the computation.
  std::string finish() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    demand(EVP_DigestFinal_ex(context_.get(), digest, &length) == 1);
    return fmt::format("{:02x}", fmt::join(digest, digest + length, ""));
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

ContentFigures read(const fs::path& file, bool decompress, std::uint64_t at_most) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  if (!reader) throw std::bad_alloc();
  const auto refuse = [&] {
    const char* reason = archive_error_string(reader.get());
    throw Error(fmt::format("'{}' cannot be read: {}", file.string(), reason ? reason : "damaged"));
  };
  if (decompress) archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_filename(reader.get(), file.c_str(), piece_bytes) != ARCHIVE_OK) refuse();
  ContentFigures found;
  Sha256 sum;
  const int begin = archive_read_next_header(reader.get(), &entry);
  if (begin != ARCHIVE_OK && begin != ARCHIVE_EOF) refuse();
  std::vector<char> piece(piece_bytes);
  while (begin == ARCHIVE_OK) {
    const la_ssize_t got = archive_read_data(reader.get(), piece.data(), piece.size());
    if (got < 0) refuse();
    if (got == 0) break;
    const auto bytes = static_cast<std::size_t>(got);
    sum.add(piece.data(), bytes);
    found.bytes += bytes;
    found.lines += static_cast<std::uint64_t>(std::count(piece.data(), piece.data() + got, '\n'));
    if (found.bytes > at_most)
      throw Error(fmt::format("'{}' has more than {} bytes of content", file.string(), at_most));
  }
  found.sha256 = sum.finish();
  return found;
}

}  // namespace

ContentFigures figures_of(const fs::path& file) {
  return read(file, false, std::numeric_limits<std::uint64_t>::max());
}

ContentFigures content_of(const fs::path& file, std::uint64_t at_most) {
  return read(file, true, at_most);
}

std::string difference(const ContentFigures& found, const ContentCheck& known) {
  if (known.bytes && *known.bytes != found.bytes)
    return fmt::format("has {} bytes of content, not {}", found.bytes, *known.bytes);
  if (known.lines && *known.lines != found.lines)
    return fmt::format("has {} lines, not {}", found.lines, *known.lines);
  if (known.sha256 && *known.sha256 != found.sha256)
    return fmt::format("has content with the sha256 {}, not {}", found.sha256, *known.sha256);
  return "";
}

NewFile::NewFile(fs::path file, std::string without_lines)
    : file_(std::move(file)), without_lines_(std::move(without_lines)) {
  std::error_code failure;
  fs::create_directories(file_.parent_path(), failure);
  if (failure) fail("cannot create its folder", failure.value());
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot create it", errno);
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void NewFile::write(std::string_view bytes) {
  if (without_lines_.empty()) return put(bytes);
  constexpr std::size_t longest_line = std::size_t{1} << 24;
  while (!bytes.empty()) {
    const auto end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    line_ += bytes.substr(0, end);
    bytes.remove_prefix(end);
    if (line_.size() > longest_line) throw Error("'" + file_.string() + "': a line is too long");
    if (line_.back() != '\n') continue;
    if (!line_.starts_with(without_lines_)) put(line_);
    line_.clear();
  }
}

void NewFile::close() {
  if (!line_.empty() && !line_.starts_with(without_lines_)) put(line_);
  // Flushed before it gets its name: otherwise a power failure could leave an empty file there.
  if (::fsync(descriptor_) != 0) fail("cannot write to the disk", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write", errno);
}

void NewFile::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) fail("cannot write", errno);
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void NewFile::fail(const char* what, int code) const {
  throw Error(
      fmt::format("{}: {}: {}", file_.string(), what, std::generic_category().message(code)));
}

void copy_content(const fs::path& from, NewFile& to) {
  std::ifstream in(from, std::ios::binary);
  if (!in)
    throw Error(
        fmt::format("cannot read '{}': {}", from.string(), std::generic_category().message(errno)));
  std::vector<char> piece(piece_bytes);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
    to.write({piece.data(), static_cast<std::size_t>(in.gcount())});
  if (in.bad()) throw Error("cannot read '" + from.string() + "' to its end");
}

}  // namespace semblance
