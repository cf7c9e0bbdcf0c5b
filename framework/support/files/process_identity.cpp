// SPDX-License-Identifier: MIT
#include "support/files/process_identity.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <utility>

#include "support/files/hash.hpp"

namespace semblance {
namespace {

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The same for all processes of one kernel since its start. Where the system does not provide it,
/// a number of this process alone: then no process counts as a neighbour.
std::string kernel_name() {
  std::string boot = content("/proc/sys/kernel/random/boot_id");
  if (boot.empty()) {
    std::random_device source;
    boot = fmt::format("{:08x}{:08x}{:08x}", source(), source(), source());
  }
  return hash_of(boot + host_name()).substr(0, 16);
}

std::uint64_t own_space() {
  struct stat status = {};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? static_cast<std::uint64_t>(status.st_ino) : 0;
}

struct ProcessStatus {
  char state = '?';
  std::uint64_t start = 0;
};

/// Fields 3 and 22 of /proc/PID/stat. The second, the command's name, may contain anything.
std::optional<ProcessStatus> status_of(std::int64_t pid) {
  const std::string text = content(fmt::format("/proc/{}/stat", pid));
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  ProcessStatus status;
  std::string skipped;
  fields >> status.state;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> status.start;
  return fields ? std::optional(status) : std::nullopt;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

ProcessIdentity ProcessIdentity::own() {
  static const std::string kernel = kernel_name();
  ProcessIdentity identity{kernel, own_space(), ::getpid(), 0};
  if (const auto status = status_of(identity.pid)) identity.start = status->start;
  return identity;
}

std::string ProcessIdentity::text() const {
  return fmt::format("{}-{}-{}-{}", kernel, space, pid, start);
}

std::optional<ProcessIdentity> ProcessIdentity::parse(std::string_view text) {
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto end = i + 1 < parts.size() ? text.find('-') : text.size();
    if (end == std::string_view::npos) return std::nullopt;
    parts[i] = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  ProcessIdentity identity;
  identity.kernel = parts[0];
  const bool is_kernel = identity.kernel.size() == 16 &&
                         identity.kernel.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_kernel || !read_number(parts[1], identity.space) ||
      !read_number(parts[2], identity.pid) || identity.pid <= 0 ||
      !std::in_range<pid_t>(identity.pid) || !read_number(parts[3], identity.start))
    return std::nullopt;
  return identity;
}

ProcessIdentity::Life ProcessIdentity::life() const {
  const ProcessIdentity here = own();
  if (kernel != here.kernel || space != here.space || here.space == 0) return Life::unknown;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return Life::dead;
  const auto status = status_of(pid);
  if (!status) return Life::alive;  // it ended just now, or is hidden from other users
  const bool ended = status->state == 'Z' || status->state == 'X';
  return ended || status->start != start ? Life::dead : Life::alive;
}

std::string host_name() {
  std::array<char, 256> name = {};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "unknown";
  return name.data();
}

}  // namespace semblance
