// SPDX-License-Identifier: MIT
#include "support/files/owned_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "support/files/file_lock.hpp"
#include "support/files/folder_time.hpp"
#include "support/files/process_identity.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

constexpr const char* unlocked = "-unlocked";

/// Often enough to be seen within a day, no matter what else the process does.
constexpr std::chrono::minutes sign_of_life{10};

struct Owner {
  ProcessIdentity process;
  bool locked = true;
};

/// IDENTITY-NUMBER, or IDENTITY-NUMBER-unlocked.
std::optional<Owner> parse_owner(const std::string& text) {
  std::size_t end = 0;
  for (int dashes = 0; dashes < 4; ++dashes) {
    end = text.find('-', end == 0 ? 0 : end + 1);
    if (end == std::string::npos) return std::nullopt;
  }
  const auto process = ProcessIdentity::parse(text.substr(0, end));
  if (!process) return std::nullopt;
  return Owner{*process, !text.ends_with(unlocked)};
}

}  // namespace

OwnedFile::OwnedFile(const fs::path& folder, const std::string& prefix, const std::string& ending)
    : process_(::getpid()) {
  static std::atomic<unsigned> counter{0};
  const std::string owner = ProcessIdentity::own().text();
  for (;;) {
    const std::string name = fmt::format("{}{}-{}", prefix, owner, counter++);
    path_ = folder / (name + ending);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno == EEXIST || errno == EINTR)) continue;
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path_.string());
    if (lock(fmt::format("{}{}{}", name, unlocked, ending))) return;
    ::close(std::exchange(descriptor_, -1));
  }
}

bool OwnedFile::lock(const std::string& unlocked_name) {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    const fs::path renamed = path_.parent_path() / unlocked_name;
    if (::rename(path_.c_str(), renamed.c_str()) != 0) return false;
    path_ = renamed;
  }
  struct stat status = {};
  return ::fstat(descriptor_, &status) != 0 || status.st_nlink > 0;
}

OwnedFile::~OwnedFile() {
  heartbeat_.reset();
  if (descriptor_ < 0) return;
  if (process_ == ::getpid()) ::unlink(path_.c_str());  // a child of fork() has only a copy
  ::close(descriptor_);
}

void OwnedFile::keep_alive() {
  heartbeat_ = std::make_unique<Heartbeat>(sign_of_life, [this] { touch(path_); });
}

int OwnedFile::close() noexcept {
  heartbeat_.reset();
  return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
}

bool Abandoned::operator()(const fs::path& path, const std::string& owner_text) {
  const auto owner = parse_owner(owner_text);
  const auto life = owner ? owner->process.life() : ProcessIdentity::Life::unknown;
  if (life != ProcessIdentity::Life::unknown) return life == ProcessIdentity::Life::dead;
  int problem = 0;
  if (FileLock::attempt_existing(path, &problem)) {
    // Its lock would show that it lives, if locks of that process reach this machine.
    const bool neighbour = owner && owner->process.kernel == ProcessIdentity::own().kernel;
    if (!owner || (neighbour && owner->locked)) return true;
  } else if (problem == EWOULDBLOCK) {
    return false;
  }
  return silent(path);
}

bool Abandoned::silent(const fs::path& path) {
  if (!std::exchange(asked_, true)) now_ = time_in(folder_);
  std::error_code failure;
  const auto touched = fs::last_write_time(path, failure);
  return now_ && !failure && *now_ - touched > forgotten_after;
}

}  // namespace semblance
