// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semblance {

/// The identity of a process: which process on which machine. It goes into the name or content of a
/// file, so that other processes can find out whether the file's owner still lives. The process
/// number alone is not enough: another machine, a container or a later process may have the same.
struct ProcessIdentity {
  std::string kernel;       ///< identifies this start of the machine's kernel, 16 hexadecimal
                            ///< digits
  std::uint64_t space = 0;  ///< the namespace of process numbers, which differs between containers
  std::int64_t pid = 0;
  std::uint64_t start = 0;  ///< when it began, in the kernel's ticks since its own start

  /// This process, determined anew in a child of fork().
  static ProcessIdentity own();

  /// "KERNEL-SPACE-PID-START", valid in a file's name; parse() is the inverse, and returns nothing
  /// for other texts.
  std::string text() const;
  static std::optional<ProcessIdentity> parse(std::string_view text);

  enum class Life { alive, dead, unknown };

  /// Whether it lives. Unknown for a process of another machine or container, whose numbers have no
  /// meaning here.
  Life life() const;

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

/// The name of this machine, for people; never empty.
std::string host_name();

}  // namespace semblance
