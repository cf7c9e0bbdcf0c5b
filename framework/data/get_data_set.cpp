// SPDX-License-Identifier: MIT
#include "data/get_data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "data/content.hpp"
#include "data/data_folder.hpp"
#include "data/transfer.hpp"
#include "registry/doors.hpp"
#include "support/files/file_lock.hpp"
#include "support/files/owned_folder.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder, const char* advice) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(fmt::format("cannot create the folder '{}': {}{}", folder.string(),
                            failure.message(), advice));
}

bool is_address(const std::string& mirror) {
  return mirror.starts_with("http://") || mirror.starts_with("https://");
}

/// The door to libcurl; throws Error where it does not exist.
const TransferFunctions& transfer_functions() {
  using Function = const TransferFunctions*();
  auto* const function = reinterpret_cast<Function*>(
      door_function("transfer", "semblance_transfer", "rebuild or reinstall the program"));
  return *function();
}

/// One download of one data set, on its way into the data folder.
class Getter {
 public:
  Getter(const DataSet& set, const Download& download, const GetOptions& options,
         const fs::path& workshop)
      : set_(set),
        download_(download),
        options_(options),
        workshop_(workshop),
        file_(workshop / download.file) {}

  void get() {
    const bool resumed = obtain();
    std::string wrong = fault();
    if (!wrong.empty() && resumed) {  // the two parts may be of different files
      options_.say(download_.file +
                   ": the resumed file is not the right one; starting again from the beginning");
      fs::remove(file_);
      obtain();
      wrong = fault();
    }
    if (!wrong.empty()) refuse(file_.string() + " " + wrong);
    if (!download_.verifiable()) admit_unverified();
    produce();
    fs::remove(file_);
  }

 private:
  /// Puts the whole file into the workshop. Returns whether it was fetched in more than one part.
  bool obtain() {
    if (fs::exists(file_)) return false;
    const fs::path part = file_.string() + ".part";
    const std::string mirror = options_.mirror + "/" + download_.file;
    bool resumed = false;
    if (options_.mirror.empty() || is_address(options_.mirror)) {
      resumed = fetch(options_.mirror.empty() ? download_.url : mirror, part);
    } else {
      std::error_code failure;
      fs::copy_file(mirror, part, fs::copy_options::overwrite_existing, failure);
      if (failure)
        throw Error(fmt::format("cannot copy '{}': {}; --mirror takes the folder of the files",
                                mirror, failure.message()));
    }
    fs::rename(part, file_);
    return resumed;
  }

  bool fetch(const std::string& url, const fs::path& part) const {
    const bool resume = download_.sha256.has_value();
    options_.say(resume && fs::exists(part)
                     ? fmt::format("{}: resuming after {}", url,
                                   bytes_text(static_cast<double>(fs::file_size(part))))
                     : url);
    return transfer_functions().fetch({url, part, resume,
                                       download_.bytes.value_or(download_.at_most),
                                       [this](std::uint64_t done, std::uint64_t total) {
                                         if (options_.progress)
                                           options_.progress(download_.file, done, total);
                                       }});
  }

  /// Why the file is not the catalogued one; empty if it is, as far as the catalogue says.
  std::string fault() {
    found_ = figures_of(file_);
    if (download_.bytes && found_.bytes != *download_.bytes)
      return fmt::format("has {} bytes, not {}", found_.bytes, *download_.bytes);
    if (download_.sha256 && found_.sha256 != *download_.sha256)
      return fmt::format("has the sha256\n  {}, but the catalogue says\n  {}", found_.sha256,
                         *download_.sha256);
    return "";
  }

  [[noreturn]] void refuse(const std::string& what) const {
    fs::remove(file_);
    throw Error(what + ";\nit is damaged, or not the catalogued file, and was removed");
  }

  void admit_unverified() const {
    const std::string text = fmt::format(
        "{} has the sha256 {}; the catalogue has none to compare it with, so it is unknown whether "
        "it is the right file",
        download_.file, found_.sha256);
    if (!options_.unverified)
      throw Error(
          text +
          fmt::format(
              ".\nIt is kept as '{}'. If you trust its origin: semblance data get {} --unverified",
              file_.string(), set_.name));
    options_.say("NOT VERIFIED: " + text);
  }

  /// Makes all files of the download in the workshop, then moves them to their places.
  void produce() const {
    const fs::path made = workshop_ / "made";
    std::error_code ignored;
    fs::remove_all(made, ignored);
    if (!download_.unpack.empty()) {
      unpack_all(file_, made / download_.unpack, download_.at_most);
      return move(made, download_.unpack);
    }
    std::vector<DataFile> members;
    for (const DataFile& one : download_.gives) {
      if (!one.member.empty()) {
        members.push_back(one);
        continue;
      }
      NewFile to(made / one.path, one.without_lines);
      copy_content(file_, to);
      to.close();
    }
    if (!members.empty()) unpack_members(file_, members, made, download_.at_most);
    for (const DataFile& one : download_.gives) check(one, made / one.path);
    for (const DataFile& one : download_.gives)
      if (!is_present(one, options_.folder)) move(made, one.path);
    fs::remove_all(made, ignored);
  }

  void check(const DataFile& one, const fs::path& file) const {
    const auto wrong = difference(content_of(file, download_.at_most), one.content);
    if (!wrong.empty()) refuse(fmt::format("'{}' of {} {}", one.path, download_.file, wrong));
  }

  void move(const fs::path& made, const std::string& path) const {
    const fs::path target = options_.folder / path;
    make_folder(target.parent_path(), "");
    std::error_code failure;
    fs::rename(made / path, target, failure);
    if (failure)
      throw Error(
          fmt::format("cannot move '{}' into place: {}", target.string(), failure.message()));
    options_.say("  " + target.string());
  }

  const DataSet& set_;
  const Download& download_;
  const GetOptions& options_;
  const fs::path& workshop_;
  const fs::path file_;
  ContentFigures found_;
};

/// The folder where one process at a time fetches a data set. Where files cannot be locked, each
/// process has a separate folder: the same files may then be fetched twice, and an interrupted
/// transfer cannot be resumed by another process.
class Workshop {
 public:
  Workshop(const fs::path& downloads, const DataSet& set, const GetOptions& options)
      : folder_(downloads / set.name) {
    const fs::path file = folder_.string() + ".lock";
    int problem = 0;
    lock_ = FileLock::attempt(file, FileLock::Kind::exclusive, &problem);
    if (problem == EWOULDBLOCK) {
      options.say("waiting for another 'data get " + set.name + "'");
      lock_ = FileLock::wait(file, FileLock::Kind::exclusive);
    } else if (problem != 0) {
      make_folder(downloads / ".unlocked", "");
      remove_abandoned_folders(downloads / ".unlocked");
      own_.emplace(downloads / ".unlocked");
      folder_ = own_->new_path(set.name);
    }
    make_folder(folder_, "");
  }

  const fs::path& folder() const { return folder_; }

 private:
  std::optional<FileLock> lock_;
  std::optional<OwnedFolder> own_;
  fs::path folder_;
};

}  // namespace

std::size_t get_data_set(const DataSet& set, const GetOptions& options) {
  const fs::path downloads = options.folder / ".downloads";
  // A process that was killed after its last file was in place has left its workshop.
  if (missing_files(set, options.folder).empty() && !fs::exists(downloads / set.name)) return 0;
  make_folder(downloads, "; choose another with --data DIR");
  const Workshop workshop(downloads, set, options);
  std::size_t needed = 0;
  for (const Download& download : set.downloads) {
    if (is_present(download, options.folder)) continue;
    ++needed;
    try {
      Getter(set, download, options, workshop.folder()).get();
    } catch (const TransferError& problem) {
      throw Error(std::string(problem.what()) + "\n\n" + instructions(set, options.folder));
    }
  }
  std::error_code ignored;
  fs::remove_all(workshop.folder(), ignored);
  return needed;
}

std::string addresses(const std::vector<Download>& downloads) {
  std::string text;
  for (const Download& download : downloads)
    text += fmt::format("  {}\n    from {}\n    {}sha256 {}\n", download.file, download.url,
                        download.bytes ? fmt::format("{} bytes, ", *download.bytes) : "",
                        download.sha256.value_or("unknown"));
  return text;
}

std::string instructions(const DataSet& set, const fs::path& folder) {
  std::vector<Download> missing;
  std::ranges::copy_if(set.downloads, std::back_inserter(missing),
                       [&](const Download& download) { return !is_present(download, folder); });
  return "If these addresses cannot be reached from here, download the files on another "
         "machine:\n\n" +
         addresses(missing) +
         fmt::format(
             "\n"
             "put them into one folder, copy it here, say to 'mirror', then:\n\n"
             "  semblance data get {0} --mirror mirror\n",
             set.name);
}

}  // namespace semblance
