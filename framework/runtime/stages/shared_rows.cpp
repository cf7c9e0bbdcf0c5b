// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

#include "runtime/stages/stage_builder.hpp"
#include "runtime/store/state_files.hpp"
#include "support/files/hash.hpp"
#include "support/files/npy.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string hexadecimal(const std::string& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

std::string bytes_of_text(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

/// One line that describes what a rank has written.
std::string line_of(const std::vector<KeptRows::Written>& pieces) {
  Json line = Json::array();
  for (const KeptRows::Written& piece : pieces)
    line.push_back({{"at", piece.at},
                    {"bytes", piece.bytes},
                    {"checksum", piece.checksum},
                    {"head", hexadecimal(piece.head)},
                    {"tail", hexadecimal(piece.tail)}});
  return line.dump() + "\n";
}

std::vector<KeptRows::Written> pieces_of(const std::string& lines) {
  std::vector<KeptRows::Written> pieces;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);)
    for (const Json& piece : parse_json(line))
      pieces.push_back({piece.at("at"), piece.at("bytes"), piece.at("checksum"),
                        bytes_of_text(piece.at("head")), bytes_of_text(piece.at("tail"))});
  std::ranges::sort(pieces, {}, &KeptRows::Written::at);
  return pieces;
}

class OpenFile {
 public:
  explicit OpenFile(const fs::path& file)
      : file_(file), descriptor_(::open(file.c_str(), O_RDWR | O_CLOEXEC)) {
    if (descriptor_ < 0) fail("open");
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write(std::size_t at, const std::string& bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                     static_cast<off_t>(at + done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail("write to");
      done += static_cast<std::size_t>(count);
    }
  }
  std::string read(std::size_t at, std::size_t size) const {
    std::string bytes(size, '\0');
    if (::pread(descriptor_, bytes.data(), size, static_cast<off_t>(at)) !=
        static_cast<ssize_t>(size))
      fail("read");
    return bytes;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Error(std::string("cannot ") + what + " '" + file_.string() +
                "': " + std::generic_category().message(errno));
  }

  const fs::path& file_;
  int descriptor_;
};

/// Writes the pages that several ranks share, and assembles the checksums.
std::vector<PieceChecksum> completed(const fs::path& file,
                                     const std::vector<KeptRows::Written>& pieces) {
  const OpenFile out(file);
  std::vector<PieceChecksum> known = {{npy::header_bytes, hash_of(out.read(0, npy::header_bytes))}};
  std::size_t end = npy::header_bytes;
  for (const KeptRows::Written& piece : pieces) {
    // A missing or duplicate row would be a wrong figure.
    if (piece.at != end)
      throw Error("internal error: the ranks' rows do not make up '" + file.string() + "'");
    end += piece.bytes;
    out.write(piece.at, piece.head);
    out.write(end - piece.tail.size(), piece.tail);
    known.push_back({piece.bytes, piece.checksum});
  }
  if (end != fs::file_size(file))
    throw Error("internal error: the ranks' rows do not fill '" + file.string() + "'");
  return known;
}

}  // namespace

void make_shared_room(RunProgress& progress, RunData& data, std::size_t i, RowSpan span,
                      const RowSizes& sizes) {
  Ranks& ranks = progress.ranks();
  NodeRun& run = progress.run(i);
  const fs::path& store = data.store()->folder();
  const std::vector<RowSpan> own = *progress.own_rows(i, span);
  const auto room = [&] { return data.memory().room(bytes_of(sizes, own)); };
  std::string folder;
  if (ranks.first()) {
    run.draft = data.store()->draft(rows_key(progress.facts(i)));
    folder = run.draft->folder().lexically_relative(store).string();
    run.rows =
        KeptRows::in_shared_folder(run.draft->folder(), span.count, sizes, room(), own, true);
  }
  folder = ranks.from_first(folder);
  if (!ranks.first())
    run.rows = KeptRows::in_shared_folder(store / folder, span.count, sizes, room(), own, false);
}

KnownChecksums finish_shared_rows(Ranks& ranks, const KeptRows& rows) {
  const std::string own = line_of(rows.written());
  send_to_server(rows.shared_file());
  const std::vector<char> all =
      ranks.collectives().gather(std::vector<char>(own.begin(), own.end()));
  if (!ranks.first()) return {};
  const std::string lines(all.begin(), all.end());
  return {
      {rows.shared_file().filename().string(), completed(rows.shared_file(), pieces_of(lines))}};
}

}  // namespace semblance
