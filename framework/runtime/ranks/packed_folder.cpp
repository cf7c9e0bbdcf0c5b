// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>

#include "runtime/ranks/exchange.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

void add(std::string& text, const std::string& piece) {
  const std::uint64_t size = piece.size();
  text.append(reinterpret_cast<const char*>(&size), sizeof(size));
  text += piece;
}

std::string take(const std::string& text, std::size_t& at) {
  std::uint64_t size = 0;
  if (text.size() - at < sizeof(size)) throw Error("internal error: a packed folder ends early");
  std::memcpy(&size, text.data() + at, sizeof(size));
  at += sizeof(size);
  if (text.size() - at < size) throw Error("internal error: a packed folder ends early");
  std::string piece = text.substr(at, size);
  at += size;
  return piece;
}

}  // namespace

std::string packed(const fs::path& folder) {
  std::string text;
  for (const auto& item : fs::recursive_directory_iterator(folder)) {
    if (!item.is_regular_file()) continue;
    add(text, item.path().lexically_relative(folder).generic_string());
    add(text, read_whole_file(item.path()));
  }
  return text;
}

void unpack(const std::string& text, const fs::path& folder) {
  fs::create_directories(folder);
  for (std::size_t at = 0; at < text.size();) {
    const fs::path file = folder / take(text, at);
    fs::create_directories(file.parent_path());
    write_file_atomically(file, take(text, at));
  }
}

}  // namespace semblance
