// SPDX-License-Identifier: MIT
#include "runtime/store/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/hash.hpp"

namespace semblance {

namespace fs = std::filesystem;

std::string read_whole_file(const fs::path& file) {
  // A device has no end, and opening a pipe waits for a writer.
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error("cannot read '" + file.string() + "': it is " +
                (fs::is_directory(status) ? "a folder" : "not a regular file"));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

Folder Folder::operator/(std::string_view name) const {
  Folder folder = *this;
  folder.path_ /= name;
  if (in_memory()) folder.inside_ = key(name) + "/";
  return folder;
}

void Folder::make() const {
  if (in_memory()) return;
  std::error_code failure;
  fs::create_directories(path_, failure);
  if (failure) throw Error("cannot create '" + path_.string() + "': " + failure.message());
}

bool Folder::has(std::string_view file) const {
  if (in_memory()) return contents_->contains(key(file));
  std::error_code ignored;
  return fs::exists(path_ / file, ignored);
}

const std::string& Folder::content(std::string_view file) const {
  const auto found = contents_->find(key(file));
  if (found == contents_->end())
    throw Error("cannot read '" + (path_ / file).string() + "': " + std::strerror(ENOENT));
  return found->second;
}

std::string Folder::read(std::string_view file) const {
  return in_memory() ? content(file) : read_whole_file(path_ / file);
}

void Folder::write(const std::string& file, std::string content) const {
  if (in_memory()) {
    contents_->insert_or_assign(key(file), std::move(content));
    return;
  }
  AtomicFile written(path_ / file);
  written.write(content);
  written.commit(false);
}

std::uintmax_t Folder::size(std::string_view file, std::error_code& failure) const {
  if (!in_memory()) return fs::file_size(path_ / file, failure);
  if (has(file)) return content(file).size();
  failure = std::make_error_code(std::errc::no_such_file_or_directory);
  return 0;
}

std::string Folder::hash(std::string_view file) const {
  return in_memory() ? hash_of(content(file)) : hash_of_file(path_ / file);
}

std::vector<std::string> Folder::files() const {
  std::vector<std::string> names;
  if (in_memory()) {
    for (auto file = contents_->lower_bound(inside_);
         file != contents_->end() && file->first.starts_with(inside_); ++file)
      names.push_back(file->first.substr(inside_.size()));
    return names;
  }
  for (const auto& item : fs::recursive_directory_iterator(path_))
    if (item.is_regular_file())
      names.push_back(item.path().lexically_relative(path_).generic_string());
  std::ranges::sort(names);
  return names;
}

}  // namespace semblance
