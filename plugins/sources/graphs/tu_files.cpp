// SPDX-License-Identifier: MIT
#include "graphs/tu_files.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "files/archive_entries.hpp"
#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

namespace fs = std::filesystem;

/// The data set's name and the part of a file called NAME_PART.txt.
std::optional<std::pair<std::string, std::string>> name_and_part(
    const std::string& file, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    const std::string end = "_" + part + ".txt";
    if (file.size() > end.size() && file.ends_with(end))
      return std::pair(file.substr(0, file.size() - end.size()), part);
  }
  return std::nullopt;
}

std::vector<std::string> files_of_folder(const std::string& path,
                                         const std::vector<std::string>& parts) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto at = fs::directory_iterator(path, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string file = at->path().filename().string();
    if (!is_of_macos(file) && name_and_part(file, parts)) files.push_back(file);
  }
  if (error)
    throw DataError(path, "", "cannot be listed (" + error.message() + "); check permissions");
  std::ranges::sort(files);
  return files;
}

}  // namespace

void TuFile::each_line(const std::function<void(std::string_view, std::size_t)>& visit) const {
  std::string_view left = text();
  const std::size_t end = left.find_last_not_of(" \t\r\n");
  left = left.substr(0, end == left.npos ? 0 : end + 1);
  for (std::size_t number = 1; !left.empty(); ++number) {
    const std::size_t stop = std::min(left.find('\n'), left.size());
    visit(trimmed(left.substr(0, stop - (stop > 0 && left[stop - 1] == '\r' ? 1 : 0))), number);
    left.remove_prefix(std::min(stop + 1, left.size()));
  }
}

std::size_t TuFile::lines() const {
  std::size_t count = 0;
  each_line([&](std::string_view, std::size_t number) { count = number; });
  return count;
}

TuFiles::TuFiles(const std::string& path, const std::vector<std::string>& wanted,
                 const Context& context)
    : path_(path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    throw DataError(path, "", "no such folder or archive; check the path");
  if (fs::is_directory(path, ignored))
    read_folder(wanted, context);
  else
    read_archive(wanted, context);
  if (set_.empty())
    throw DataError(path, "",
                    "holds no file whose name ends in _A.txt; name the folder of a data set in "
                    "TUDataset's format, with the files NAME_A.txt and so on, or its archive");
}

std::uint64_t TuFiles::most(const Context& context) const {
  // While it grows, a text takes up to three times its size.
  const std::uint64_t all = context.memory_budget() / 3;
  return all - std::min<std::uint64_t>(all, bytes_);
}

void TuFiles::refuse_size(const std::string& name, const Context& context) const {
  check_fits(3.0 * static_cast<double>(bytes_ + most(context) + 1),
             "the texts of the graphs, up to here, and what is made of them", path_, name, context);
}

void TuFiles::read_folder(const std::vector<std::string>& wanted, const Context& context) {
  for (const std::string& file : files_of_folder(path_, wanted)) {
    ByteReader reader(path_ + "/" + file);
    std::vector<std::uint8_t> bytes;
    const std::uint64_t most = this->most(context);
    if (append_bytes(reader, most + 1, bytes) > most) refuse_size(file, context);
    add(file, {path_ + "/" + file, std::move(bytes)});
  }
}

void TuFiles::read_archive(const std::vector<std::string>& wanted, const Context& context) {
  ArchiveEntries entries(path_);
  while (entries.next()) {
    context.check_stop();
    const std::string file = fs::path(entries.name()).filename().string();
    if (entries.kind() != ArchiveEntries::Kind::file || !name_and_part(file, wanted)) continue;
    std::vector<std::uint8_t> bytes;
    if (!entries.read(most(context), bytes)) refuse_size(entries.name(), context);
    add(file, {path_ + "/" + entries.name(), std::move(bytes)});
  }
}

void TuFiles::add(const std::string& file, TuFile read) {
  static const std::vector<std::string> parts = {
      "A",           "graph_indicator", "graph_labels",    "graph_attributes",
      "node_labels", "edge_labels",     "node_attributes", "edge_attributes"};
  const auto [set, part] = *name_and_part(file, parts);
  if (!set_.empty() && set != set_)
    throw DataError(path_, "",
                    "holds files of two data sets, " + set_ + " and " + set +
                        "; put each into a folder of its own");
  if (const TuFile* const other = find(part))
    throw DataError(path_, "",
                    "holds " + file + " twice, as " + other->name + " and " + read.name +
                        "; remove one of them");
  set_ = set;
  if (read.text().starts_with("\xef\xbb\xbf"))
    read.bytes.erase(read.bytes.begin(), read.bytes.begin() + 3);
  bytes_ += read.bytes.size();
  if (read.text().find('\0') != std::string_view::npos)
    throw DataError(read.name, "", "is not UTF-8 text; check that it is the right file");
  files_[part] = std::move(read);
}

const TuFile* TuFiles::find(const std::string& part) const {
  const auto found = files_.find(part);
  return found == files_.end() ? nullptr : &found->second;
}

const TuFile& TuFiles::at(const std::string& part, const std::string& purpose) const {
  if (const TuFile* const file = find(part)) return *file;
  throw DataError(path_, "", "lacks the file " + name_of(part) + ", which says " + purpose);
}

std::vector<std::string> list_tu_files(const std::string& path,
                                       const std::vector<std::string>& parts) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<std::string> all;
  for (const std::string& file : files_of_folder(path, parts))
    all.push_back((fs::path(path) / file).string());
  return all.empty() ? std::vector<std::string>{path} : all;
}

}  // namespace semblance::sources
