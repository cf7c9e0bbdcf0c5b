// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <string>
#include <system_error>

#include "runtime/store/artifact_store.hpp"

namespace semblance {
namespace {

/// The number in a line, after `sign` unless that is 0.
std::optional<std::uintmax_t> number_in(const std::string& line, char sign) {
  const char *first = line.data(), *end = first + line.size();
  if (sign != 0 && (first == end || *first++ != sign)) return {};
  std::uintmax_t number = 0;
  const auto [rest, problem] = std::from_chars(first, end, number);
  if (problem != std::errc() || rest != end) return {};
  return number;
}

}  // namespace

void StoreSize::add(std::uintmax_t bytes) const noexcept {
  // One write: lines of other processes cannot interleave.
  const int file = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;  // never measured
  const std::string line = "+" + std::to_string(bytes) + "\n";
  const bool written = ::write(file, line.data(), line.size()) >= 0;
  ::close(file);
  if (!written) ::unlink(file_.c_str());  // it would be too small from now on
}

std::optional<std::uintmax_t> StoreSize::about() const noexcept {
  try {
    std::ifstream file(file_);
    std::string line;
    if (!std::getline(file, line)) return {};
    std::optional<std::uintmax_t> total = number_in(line, 0);
    while (total && std::getline(file, line)) {
      const auto more = number_in(line, '+');
      total = more ? std::optional(*total + *more) : std::nullopt;
    }
    return total;
  } catch (const std::exception&) {
    return {};
  }
}

void StoreSize::set(std::uintmax_t bytes) const noexcept {
  try {
    std::ofstream(file_, std::ios::trunc) << bytes << "\n";
  } catch (const std::exception&) {
    // Without a file, the next time all artifacts are examined.
  }
}

}  // namespace semblance
