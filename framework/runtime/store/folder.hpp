// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace semblance {

/// A folder of files that states are written into and read from: on disk, or in memory, so that a
/// small model is not slowed down by a disk.
class Folder {
 public:
  /// What files contain, by their paths in the folder: "nodes/svm/part_0/state.json".
  using Contents = std::map<std::string, std::string, std::less<>>;

  /// On disk, whether it exists or not.
  Folder(std::filesystem::path path) : path_(std::move(path)) {}
  /// In memory; messages call it `name`.
  Folder(std::shared_ptr<Contents> contents, const std::string& name)
      : path_(name), contents_(std::move(contents)) {}

  /// A folder inside it.
  Folder operator/(std::string_view name) const;

  bool in_memory() const noexcept { return contents_ != nullptr; }
  /// The folder itself, on disk; in memory a name for messages.
  const std::filesystem::path& path() const noexcept { return path_; }

  /// Makes it, on disk. Throws Error.
  void make() const;
  bool has(std::string_view file) const;
  /// Throws Error naming the file, also where it is a device or a pipe.
  std::string read(std::string_view file) const;
  /// Writes a file whole or not at all. It is verified when read, and not waited for until it is on
  /// the disk. Throws Error.
  void write(const std::string& file, std::string content) const;
  /// The size of a file in bytes.
  std::uintmax_t size(std::string_view file, std::error_code& failure) const;
  /// Its hash_of(). Throws Error where there is no such file.
  std::string hash(std::string_view file) const;
  /// The paths of all files in it and in folders inside it, in order.
  std::vector<std::string> files() const;

 private:
  std::string key(std::string_view file) const { return inside_ + std::string(file); }
  const std::string& content(std::string_view file) const;

  std::filesystem::path path_;
  std::shared_ptr<Contents> contents_;
  std::string inside_;  ///< in memory: what the paths of its files begin with
};

/// A whole file as a string; throws Error naming it, also where it is a device or a pipe.
std::string read_whole_file(const std::filesystem::path& file);

}  // namespace semblance
