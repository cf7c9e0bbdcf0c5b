// SPDX-License-Identifier: MIT
#include "runtime/store/artifact_index.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/hash.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The checksum of everything in artifact.json except the checksum itself.
std::string checksum_of(const Json& index) { return hash_of(index.dump()); }

/// artifact.json, if its own checksum is right. Throws an exception that says what is wrong.
Json read_index(const fs::path& file) {
  const std::string text = read_whole_file(file);
  Json index = parse_json(text);
  if (index.dump(1) + "\n" != text) throw Error("artifact.json was changed after it was written");
  const std::string checksum = index.at("xxh3");
  index.erase("xxh3");
  if (checksum_of(index) != checksum) throw Error("artifact.json has the wrong checksum");
  return index;
}

/// Whether the pieces of a file, which several processes have written, have their checksums.
bool has_pieces(const fs::path& file, const Json& pieces) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 20);
  for (const Json& piece : pieces) {
    PiecewiseHash hash;
    auto left = integer_in<std::size_t>(piece.at("bytes"));
    while (left > 0) {
      const std::size_t count = std::min(left, buffer.size());
      if (!in.read(buffer.data(), static_cast<std::streamsize>(count))) return false;
      hash.add(std::string_view(buffer.data(), count));
      left -= count;
    }
    if (Json(hash.text()) != piece.at("xxh3")) return false;
  }
  return in.peek() == std::ifstream::traits_type::eof();
}

bool has_checksums(const fs::path& file, const Json& expected) {
  if (const auto pieces = expected.find("pieces"); pieces != expected.end())
    return has_pieces(file, *pieces);
  return Json(hash_of_file(file)) == expected.at("xxh3");
}

/// The damage to the artifact's files, or nothing.
std::optional<std::string> damage(const fs::path& folder, const Json& index) {
  for (const auto& [name, expected] : index.at("files").items()) {
    if (!leads_inside(name)) return "'" + one_line(name) + "' lies outside it";
    std::error_code failure;
    const auto size = fs::file_size(folder / name, failure);
    if (failure) return name + ": " + failure.message();
    if (size != integer_in<std::uintmax_t>(expected.at("bytes")))
      return name + " has the wrong size";
    if (!has_checksums(folder / name, expected)) return name + " has the wrong checksum";
  }
  return std::nullopt;
}

Json entry_of(const fs::path& file, const std::vector<PieceChecksum>* known) {
  Json entry = {{"bytes", fs::file_size(file)}};
  if (!known) {
    entry["xxh3"] = hash_of_file(file);
    return entry;
  }
  entry["pieces"] = Json::array();
  for (const PieceChecksum& piece : *known)
    entry["pieces"].push_back({{"bytes", piece.bytes}, {"xxh3", piece.checksum}});
  return entry;
}

}  // namespace

void send_to_server(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor >= 0 && ::close(descriptor) != 0)
    throw Error(file.string() + ": cannot write: " + std::generic_category().message(errno));
}

void write_artifact_index(const fs::path& folder, const Json& note, const KnownChecksums& known) {
  Json index = {{"note", note}, {"files", Json::object()}};
  // Throws on an error: otherwise an omitted file would never be missed.
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(folder))
    if (item.is_regular_file()) files.push_back(item.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    send_to_server(file);
    const std::string name = file.lexically_relative(folder).generic_string();
    const auto pieces = known.find(name);
    index["files"][name] = entry_of(file, pieces == known.end() ? nullptr : &pieces->second);
  }
  const std::string checksum = checksum_of(index);
  index["xxh3"] = checksum;
  // Verified when read: what a power failure leaves is found to be damaged, and waiting for the
  // disk takes most of the time of small results.
  AtomicFile written(folder / artifact_index_name);
  written.write(index.dump(1) + "\n");
  written.commit(false);
}

std::optional<std::string> artifact_damage(const fs::path& folder, Json& note) {
  try {
    const Json index = read_index(folder / artifact_index_name);
    if (auto wrong = damage(folder, index)) return wrong;
    note = index.at("note");
    return std::nullopt;
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code gone;
  for (fs::recursive_directory_iterator item(folder, gone), end; !gone && item != end;
       item.increment(gone))
    if (item->is_regular_file(gone)) files.push_back(item->path());
  return files;
}

bool link_files(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::create_directories(to, failure);
  for (const fs::path& file : files_below(from)) {
    const fs::path target = to / file.lexically_relative(from);
    fs::create_directories(target.parent_path(), failure);
    if (::link(file.c_str(), target.c_str()) != 0 && errno != ENOENT && errno != ESTALE)
      return false;
  }
  return !failure;
}

}  // namespace semblance
