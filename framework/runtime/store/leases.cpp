// SPDX-License-Identifier: MIT
#include "runtime/store/leases.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "semblance/error.hpp"
#include "support/files/folder_time.hpp"
#include "support/files/hash.hpp"
#include "support/json_text.hpp"
#include "support/utc_time.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr const char* lease_ending = ".lease";
constexpr const char* gone_ending = ".lease_gone";

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string unique_name() {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}-{}", ProcessIdentity::own().text(), counter++);
}

/// The current content; nothing where the file is gone.
std::optional<std::string> read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

/// The record, or null where another process is writing it.
Json parse_record(const std::string& content) {
  try {
    Json record = parse_json(content);
    return record.is_object() ? record : Json();
  } catch (const Json::exception&) {
    return {};
  }
}

template <class Value>
Value entry(const Json& record, const char* name) {
  const auto found = record.find(name);
  if (found == record.end()) return {};
  try {
    return found->get<Value>();
  } catch (const Json::exception&) {
    return {};
  }
}

/// Whether the holder lives, independent of the clock.
ProcessIdentity::Life life_of_holder(const Json& record) {
  const auto holder = ProcessIdentity::parse(entry<std::string>(record, "process"));
  return holder ? holder->life() : ProcessIdentity::Life::unknown;
}

/// The files of a folder with this ending.
std::vector<fs::path> files_of(const fs::path& folder, const char* ending) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::directory_iterator item(folder, ignored), end; item != end; item.increment(ignored))
    if (item->path().extension() == ending) found.push_back(item->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace

/// The file of a held lease.
struct Lease::File {
  File(fs::path place, int opened, const std::string& key, const std::string& what)
      : path(std::move(place)), descriptor(opened) {
    const ProcessIdentity process = ProcessIdentity::own();
    record = {{"key", key},
              {"host", host_name()},
              {"pid", process.pid},
              {"process", process.text()},
              {"number", unique_name()},
              {"what", what},
              {"since", utc_now()}};
  }
  ~File() { ::close(descriptor); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// A new file; nothing where it exists already. Throws Error.
  static std::unique_ptr<File> make(const fs::path& path, const std::string& key,
                                    const std::string& what) {
    int opened = -1;
    do {
      opened = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (opened < 0 && errno == EINTR);
    if (opened < 0 && errno == EEXIST) return nullptr;
    if (opened < 0)
      throw Error(path.string() + ": cannot create it: " + std::generic_category().message(errno));
    return std::make_unique<File>(path, opened, key, what);
  }

  /// Writes the record with a new count, never shorter than before. False where it cannot.
  bool write() noexcept {
    try {
      record["seconds"] = seconds_since(begin);
      record["beat"] = ++beats;
      std::string text = record.dump(-1, ' ', false, Json::error_handler_t::replace);
      text.resize(std::max(size, text.size() + 64), ' ');
      text.back() = '\n';
      size = text.size();
      const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
      // Closing any copy of the descriptor sends the written data to a file server.
      const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
      const bool sent = copy >= 0 && ::close(copy) == 0;
      return sent && written == static_cast<ssize_t>(text.size());
    } catch (const std::exception&) {
      return false;  // no memory: the next beat tries again
    }
  }

  /// Whether the file of this name is still this lease, not one of a process that took it over. A
  /// network's file system may show a part of what this process wrote: that is nobody else's.
  bool ours() const {
    const auto content = read(path);
    if (!content) return false;
    const Json found = parse_record(*content);
    return found.is_null() ||
           entry<std::string>(found, "number") == record.at("number").get_ref<const std::string&>();
  }

  fs::path path;
  int descriptor;
  pid_t process = ::getpid();
  Clock::time_point begin = Clock::now();
  std::uint64_t beats = 0;
  std::size_t size = 0;
  Json record;
};

Lease::Lease(std::unique_ptr<File> file, std::chrono::milliseconds heartbeat)
    : file_(std::move(file)) {
  heartbeat_ = std::make_unique<Heartbeat>(heartbeat, [file = file_.get()] { file->write(); });
}

Lease::~Lease() {
  heartbeat_.reset();
  if (file_->process != ::getpid()) return;  // a child of fork() has only a copy
  if (file_->ours()) ::unlink(file_->path.c_str());
}

Leases::Leases(fs::path folder, LeaseTimes times) : folder_(std::move(folder)), times_(times) {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (failure) throw Error("cannot create '" + folder_.string() + "': " + failure.message());
  for (const fs::path& file : files_of(folder_, gone_ending)) fs::remove(file, failure);
}

Leases::~Leases() = default;

/// Named by its key where that is a valid file name.
fs::path Leases::file_of(const std::string& key) const {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  const bool fit =
      !key.empty() && key.size() <= 100 && key.front() != '.' && std::ranges::all_of(key, plain);
  return folder_ / ((fit ? key : "+" + hash_of(key)) + lease_ending);
}

bool Leases::lost(const fs::path& file, const std::string& content) const {
  if (life_of_holder(parse_record(content)) == ProcessIdentity::Life::dead) return true;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const auto [seen, first] = seen_.try_emplace(file, Seen{content, now});
  if (!first && seen->second.content != content) seen->second = {content, now};
  return now - seen->second.at >= times_.lost_after;
}

/// Where another process has taken the lease over in between, it gets the file back. If the holder
/// of the lost lease lives after all, or the name is taken again, two processes have it: that is
/// allowed.
void Leases::remove_lost(const fs::path& file, const std::string& content) const {
  const fs::path gone = folder_ / (unique_name() + gone_ending);
  if (::rename(file.c_str(), gone.c_str()) != 0) return;
  if (read(gone) != content && ::link(gone.c_str(), file.c_str()) != 0 && errno != EEXIST)
    ::rename(gone.c_str(), file.c_str());  // a file system without links
  ::unlink(gone.c_str());
  const std::lock_guard lock(mutex_);
  seen_.erase(file);
}

std::unique_ptr<Lease> Leases::take(const std::string& key, const std::string& what) {
  const fs::path path = file_of(key);
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (auto file = Lease::File::make(path, key, what)) {
      if (!file->write()) {
        const int problem = errno;
        ::unlink(path.c_str());
        throw Error(path.string() + ": cannot write: " + std::generic_category().message(problem));
      }
      return std::unique_ptr<Lease>(new Lease(std::move(file), times_.heartbeat));
    }
    const auto content = read(path);
    if (!content) continue;  // released at this moment
    if (!lost(path, *content)) return nullptr;
    remove_lost(path, *content);
  }
  return nullptr;
}

std::vector<LeaseRecord> Leases::all() const {
  std::vector<LeaseRecord> records;
  const auto files = files_of(folder_, lease_ending);
  const auto now = files.empty() ? std::nullopt : time_in(folder_);
  for (const fs::path& file : files) {
    std::error_code unknown;
    const auto beaten = fs::last_write_time(file, unknown);
    const auto content = read(file);
    if (!content) continue;
    const Json found = parse_record(*content);
    LeaseRecord record;
    record.lost = lost(file, *content);
    record.alive = !record.lost && life_of_holder(found) == ProcessIdentity::Life::alive;
    if (now && !unknown)
      record.silent_seconds = std::max(0.0, std::chrono::duration<double>(*now - beaten).count());
    if (record.silent_seconds > std::chrono::duration<double>(forgotten_after).count())
      record.lost = true;
    if (record.lost) remove_lost(file, *content);
    if (found.is_null()) continue;
    record.key = entry<std::string>(found, "key");
    record.host = entry<std::string>(found, "host");
    record.pid = entry<std::int64_t>(found, "pid");
    record.what = entry<std::string>(found, "what");
    record.since = entry<std::string>(found, "since");
    record.seconds = entry<double>(found, "seconds");
    records.push_back(std::move(record));
  }
  std::ranges::sort(records, {}, &LeaseRecord::key);
  return records;
}

}  // namespace semblance
