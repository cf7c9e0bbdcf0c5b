// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semblance {

/// Which process of which machine: what somebody leaves in the name or content of a file, so that
/// others can tell whether its owner still lives. Not the process' number alone: another machine,
/// a container or a later process may have the same.
struct ProcessIdentity {
  std::string kernel;       ///< of this start of the machine's kernel, 16 hexadecimal digits
  std::uint64_t space = 0;  ///< the namespace of process numbers, which a container has of its own
  std::int64_t pid = 0;
  std::uint64_t start = 0;  ///< when it began, in the kernel's ticks since its own start

  /// This process, asked anew in a child of fork().
  static ProcessIdentity own();

  /// "KERNEL-SPACE-PID-START", fit for a file's name; parse() is the way back, nothing where the
  /// text is none.
  std::string text() const;
  static std::optional<ProcessIdentity> parse(std::string_view text);

  enum class Life { alive, dead, unknown };

  /// Whether it lives. Unknown for a process of another machine or container: its numbers say
  /// nothing here.
  Life life() const;

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

/// The name of this machine, for people; never empty.
std::string host_name();

}  // namespace semblance
