// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace semblance {

/// The tightest limits of the control groups (versions 1 and 2) that this process is in, and of the
/// groups around them: those of containers, systemd and Slurm.
struct GroupLimits {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t memory = none;       ///< bytes that the group may use
  std::size_t memory_left = none;  ///< of these, what its processes and tmpfs files leave; the
                                   ///< cache of files counts as left
  std::string memory_file = {};    ///< the file that sets the limit which leaves least
  double cores = std::numeric_limits<double>::infinity();  ///< processor time per time
  std::string cores_file = {};
};

/// Reads the limits anew. What cannot be read limits nothing. `root` is where the system's files
/// are.
GroupLimits group_limits(const std::filesystem::path& root = "/");

}  // namespace semblance
