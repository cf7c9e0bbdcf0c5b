// SPDX-License-Identifier: MIT
#include "data/get_data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "data/content.hpp"
#include "data/data_folder.hpp"
#include "data/transfer.hpp"
#include "data/unpack.hpp"
#include "support/file_lock.hpp"
#include "support/file_state.hpp"
#include "support/number_text.hpp"
#include "support/owned_folder.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr const char* downloads_name = ".downloads";

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

std::string size_text(std::uint64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

/// One download of one data set, on its way into the data folder.
class Getter {
 public:
  Getter(const DataSet& set, const Download& download, const GetOptions& options,
         const fs::path& workshop)
      : set_(set), download_(download), options_(options), workshop_(workshop) {}

  void get() {
    check_room();
    fs::path file = arrived();
    if (!is_right(file)) {
      // Only a file from two transfers is tried again.
      if (!resumed_) refuse_checksum(file);
      options_.say(download_.file +
                   ": the resumed file is not the right one; starting again from the beginning");
      fs::remove(workshop_ / download_.file);
      file = arrived();
      if (!is_right(file)) refuse_checksum(file);
    }
    if (!download_.verifiable()) admit_unverified(file);
    produce(file);
    std::error_code ignored;
    fs::remove(workshop_ / download_.file, ignored);
  }

 private:
  /// Called before the transfer, to detect a full disk early.
  void check_room() const {
    std::error_code failure;
    const auto space = fs::space(options_.folder, failure);
    std::uint64_t needed = download_.bytes.value_or(0);
    for (const DataFile& file : download_.gives) needed += file.content.bytes.value_or(0);
    if (!failure && needed > space.available)
      throw Error(fmt::format(
          "'{}' has {} free, but {} needs {}; free some space or choose another folder with --data "
          "DIR",
          options_.folder.string(), size_text(space.available), download_.file, size_text(needed)));
  }

  /// The complete file: from the mirror if that is a folder, otherwise fetched into the workshop.
  fs::path arrived() {
    if (!options_.mirror.empty() && !is_address(options_.mirror)) return in_folder();
    fs::path whole = workshop_ / download_.file;
    if (fs::exists(whole)) return whole;
    const fs::path part = whole.string() + ".part";
    if (options_.mirror.empty()) {
      fetch_from(download_.url, part);
    } else {
      const std::string base = options_.mirror.substr(0, options_.mirror.find_last_not_of('/') + 1);
      try {
        fetch_from(base + "/" + set_.name + "/" + download_.file, part);
      } catch (const TransferError& problem) {
        if (problem.kind() != TransferError::Kind::missing) throw;
        fetch_from(base + "/" + download_.file, part);
      }
    }
    fs::remove(part.string() + ".origin");
    fs::rename(part, whole);
    return whole;
  }

  fs::path in_folder() const {
    const fs::path mirror = options_.mirror;
    for (const fs::path& file : {mirror / set_.name / download_.file, mirror / download_.file}) {
      std::error_code ignored;
      if (!fs::is_regular_file(file, ignored)) continue;
      if (download_.bytes && fs::file_size(file) != *download_.bytes)
        throw Error(fmt::format("'{}' has {} bytes, not {}; it is cut off or a different file",
                                file.string(), fs::file_size(file), *download_.bytes));
      return file;
    }
    throw Error(fmt::format("the mirror '{0}' has neither '{1}/{2}' nor '{2}'", mirror.string(),
                            set_.name, download_.file));
  }

  void fetch_from(const std::string& url, const fs::path& part) {
    std::error_code ignored;
    const auto before = fs::exists(part, ignored) ? fs::file_size(part, ignored) : 0;
    options_.say(before > 0 ? fmt::format("{}: resuming after {}", url, size_text(before)) : url);
    Transfer transfer{url, part, download_.bytes, download_.at_most, {}};
    transfer.progress = [this](std::uint64_t done, std::uint64_t total) {
      if (options_.progress) options_.progress(download_.file, done, total);
    };
    try {
      resumed_ = transfer_functions().fetch(transfer);
    } catch (const TransferError& problem) {
      if (problem.kind() == TransferError::Kind::wrong) transfer_functions().forget(transfer);
      throw;
    }
  }

  bool is_right(const fs::path& file) {
    state_ = file_state(file);
    sum_ = sha256_of_file(file);
    return !download_.sha256 || sum_ == *download_.sha256;
  }

  [[noreturn]] void refuse_checksum(const fs::path& file) const {
    const std::string text = fmt::format(
        "{} has the sha256\n"
        "  {}, but the catalogue says\n"
        "  {};\n"
        "it is damaged, or not the catalogued file",
        file.string(), sum_, *download_.sha256);
    const bool own = file.parent_path() == workshop_;
    std::error_code ignored;
    if (own) fs::remove(file, ignored);
    throw Error(text + (own ? ", and was removed: the same command downloads it again" : ""));
  }

  void admit_unverified(const fs::path& file) const {
    const std::string text = fmt::format(
        "{} has the sha256 {}; the catalogue has none to compare it with, so it is unknown whether "
        "it is the right file",
        download_.file, sum_);
    if (!options_.unverified)
      throw Error(
          text +
          fmt::format(
              ".\nIt is kept as '{}'. If you trust its origin: semblance data get {} --unverified",
              file.string(), set_.name));
    options_.say("NOT VERIFIED: " + text);
  }

  /// Makes all files of the download in the workshop, then moves them to their places.
  void produce(const fs::path& file) const {
    const fs::path made = workshop_ / "made";
    std::error_code ignored;
    fs::remove_all(made, ignored);
    if (!download_.unpack.empty()) {
      unpack_all(file, made / download_.unpack, download_.at_most);
      check_same(file);
      return move(made, download_.unpack);
    }
    std::vector<DataFile> members;
    for (const DataFile& one : download_.gives) {
      if (!one.member.empty()) {
        members.push_back(one);
        continue;
      }
      NewFile to(made / one.path, one.without_lines);
      copy_content(file, to);
      to.close();
    }
    if (!members.empty()) unpack_members(file, members, made, download_.at_most);
    check_same(file);
    for (const DataFile& one : download_.gives) check(one, made / one.path);
    for (const DataFile& one : download_.gives)
      if (!is_present(one, options_.folder)) move(made, one.path);
    fs::remove_all(made, ignored);
  }

  /// A mirror's file may be replaced after its checksum was verified.
  void check_same(const fs::path& file) const {
    if (!only_touched(state_, file_state(file)))
      throw Error(fmt::format("'{}' was changed while it was read; run the same command again",
                              file.string()));
  }

  void check(const DataFile& one, const fs::path& file) const {
    const auto wrong = difference(content_of(file, download_.at_most), one.content);
    if (!wrong.empty())
      throw Error(fmt::format("'{}' of {} {}; it is damaged, or not the catalogued file", one.path,
                              download_.file, wrong));
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
  bool resumed_ = false;
  FileState state_;  ///< of the file with that checksum
  std::string sum_;
};

/// A folder of this process below `parent`, which another process may remove at any moment when it
/// leaves it empty.
std::unique_ptr<OwnedFolder> folder_in(const fs::path& parent) {
  constexpr int attempts = 10;
  for (int attempt = 1;; ++attempt) {
    make_folder(parent, "");
    remove_abandoned_folders(parent);
    try {
      return std::make_unique<OwnedFolder>(parent);
    } catch (const Error&) {
      if (attempt == attempts) throw;
    }
  }
}

/// The folder where one process at a time fetches a data set. Where files cannot be locked, each
/// process has a separate folder: the same files may then be fetched twice, and an interrupted
/// transfer cannot be resumed by another process.
class Workshop {
 public:
  Workshop(const fs::path& usual, const DataSet& set, const GetOptions& options) : folder_(usual) {
    const fs::path file = usual.string() + ".lock";
    int problem = 0;
    lock_ = FileLock::attempt(file, FileLock::Kind::exclusive, &problem);
    if (problem == EWOULDBLOCK) {
      options.say("waiting for another 'data get " + set.name + "'");
      lock_ = FileLock::wait(file, FileLock::Kind::exclusive);
    } else if (problem != 0) {
      const fs::path parent = usual.string() + ".parallel";
      own_ = folder_in(parent);
      folder_ = own_->new_path(set.name);
    }
    make_folder(folder_, "");
  }
  ~Workshop() {
    if (!own_) return;
    own_.reset();
    std::error_code others_are_there;
    fs::remove(folder_.parent_path().parent_path(), others_are_there);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  std::optional<FileLock> lock_;
  std::unique_ptr<OwnedFolder> own_;
  fs::path folder_;
};

/// A process that was killed after its last file was in place has left its workshop.
void remove_rest(const fs::path& workshop) {
  std::error_code ignored;
  if (!fs::exists(workshop, ignored)) return;
  if (FileLock::attempt(workshop.string() + ".lock", FileLock::Kind::exclusive))
    fs::remove_all(workshop, ignored);
}

}  // namespace

std::size_t get_data_set(const DataSet& set, const GetOptions& options) {
  const fs::path downloads = options.folder / downloads_name;
  const fs::path workshop = downloads / set.name;
  if (missing_files(set, options.folder).empty()) {
    remove_rest(workshop);
    return 0;
  }
  make_folder(downloads, "; choose another with --data DIR");
  const Workshop claimed(workshop, set, options);
  std::size_t needed = 0;
  for (const Download& download : set.downloads) {
    if (is_present(download, options.folder)) continue;
    ++needed;
    try {
      Getter(set, download, options, claimed.folder()).get();
    } catch (const TransferError& problem) {
      const auto kind = problem.kind();
      if (kind == TransferError::Kind::broken)
        throw Error(std::string(problem.what()) + "; the same command continues from there");
      throw Unreachable(std::string(problem.what()) + "\n\n" + instructions(set, options.folder));
    }
  }
  std::error_code ignored;
  fs::remove_all(claimed.folder(), ignored);
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
             "put them into one folder, copy it here, say to mirror/{0}, then:\n\n"
             "  semblance data get {0} --mirror mirror\n",
             set.name);
}

}  // namespace semblance
