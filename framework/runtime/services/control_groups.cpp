// SPDX-License-Identifier: MIT
#include "runtime/services/control_groups.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// A mounted hierarchy of groups.
struct Hierarchy {
  bool second = false;      ///< of version 2, which has all controllers
  std::string controllers;  ///< of version 1: "rw,memory"
  fs::path shown;           ///< the group that is visible at its place
  fs::path place;
};

/// Whether a list "cpu,cpuacct" names the word.
bool lists(const std::string& words, const std::string& word) {
  return ("," + words + ",").find("," + word + ",") != std::string::npos;
}

/// A path as mountinfo writes it: blanks, line ends and backslashes are octal (\040).
fs::path unescaped(const std::string& text) {
  std::string path;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned char code = 0;
    const char* const digits = text.data() + at + 1;
    const bool escaped = text[at] == '\\' && at + 3 < text.size() &&
                         std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3;
    path += escaped ? static_cast<char>(code) : text[at];
    if (escaped) at += 3;
  }
  return path;
}

/// From lines "36 35 98:0 /docker/1 /sys/fs/cgroup rw master:1 - cgroup2 cgroup rw,nsdelegate".
std::vector<Hierarchy> mounted(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line), after(line.substr(dash + 3));
    std::string skipped, shown, place, type, options;
    before >> skipped >> skipped >> skipped >> shown >> place;
    after >> type >> skipped >> options;
    if (before && after && (type == "cgroup" || type == "cgroup2"))
      found.push_back({type == "cgroup2", options, unescaped(shown), unescaped(place)});
  }
  return found;
}

/// The group of this process, from lines "4:cpu,cpuacct:/PATH" or, of version 2, "0::/PATH".
std::optional<fs::path> own_group(const fs::path& root, const std::string& controller) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? line.starts_with("0::") : lists(controllers, controller))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The part of `path` below `above`; nothing where it is elsewhere.
std::optional<fs::path> below(const fs::path& path, const fs::path& above) {
  const fs::path rest = path.lexically_relative(above);
  if (rest.empty() || *rest.begin() == "..") return std::nullopt;
  return rest == "." ? fs::path() : rest;
}

/// The folders of this process's group and of the visible groups around it, innermost first. A
/// container may see its own group only, as the root of what is mounted.
std::vector<fs::path> folders(const fs::path& root, const std::vector<Hierarchy>& all,
                              const std::string& controller) {
  const auto group = own_group(root, controller);
  if (!group) return {};
  const Hierarchy* best = nullptr;
  std::optional<fs::path> inside;
  for (const Hierarchy& one : all) {
    if (controller.empty() ? !one.second : one.second || !lists(one.controllers, controller))
      continue;
    const auto part = below(*group, one.shown);
    // The more of the tree is visible, the better.
    if (best && !(part && (!inside || part->string().size() > inside->string().size()))) continue;
    best = &one;
    inside = part;
  }
  if (!best) return {};
  const fs::path top = root / best->place.relative_path();
  std::vector<fs::path> found = {top};
  for (const fs::path& name : inside.value_or(fs::path())) found.push_back(found.back() / name);
  std::ranges::reverse(found);
  return found;
}

/// The number in a file; nothing for "max", a negative number or no number.
std::optional<std::size_t> number_of_file(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size())
    return std::nullopt;
  return value;
}

/// The value of a line "KEY VALUE"; 0 where there is none.
std::size_t stat_entry(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  std::string name;
  for (std::size_t value = 0; in >> name >> value;)
    if (name == key) return value;
  return 0;
}

/// Version 1 writes a number of this size where there is no limit.
constexpr std::size_t no_limit = std::size_t{1} << 60;

/// The names of a version's files and entries.
struct Names {
  const char* usage;
  const char* prefix;  ///< of sums over a group and those in it
};
constexpr Names of_first = {"memory.usage_in_bytes", "total_"}, of_second = {"memory.current", ""};

/// The memory that a group uses, without the cache of files, which the kernel can drop.
std::size_t held(const fs::path& group, const Names& names) {
  const std::size_t all = number_of_file(group / names.usage).value_or(0);
  std::size_t cache = 0;
  for (const char* kind : {"active_file", "inactive_file", "slab_reclaimable"})
    cache += stat_entry(group / "memory.stat", std::string(names.prefix) + kind);
  return all - std::min(all, cache);
}

void limit_memory(GroupLimits& limits, const fs::path& file, std::size_t bytes,
                  const Names& names) {
  if (bytes >= no_limit) return;
  const std::size_t left = bytes - std::min(bytes, held(file.parent_path(), names));
  if (left >= limits.memory_left) return;
  limits.memory = bytes;
  limits.memory_left = left;
  limits.memory_file = file.string();
}

void limit_cores(GroupLimits& limits, const fs::path& file, std::size_t quota, std::size_t period) {
  if (period == 0) return;
  const double cores = static_cast<double>(quota) / static_cast<double>(period);
  if (cores >= limits.cores) return;
  limits.cores = cores;
  limits.cores_file = file.string();
}

void limit_by_second(GroupLimits& limits, const fs::path& group) {
  // Above memory.high a process is slowed down until it hardly moves.
  for (const char* name : {"memory.max", "memory.high"})
    if (const auto bytes = number_of_file(group / name))
      limit_memory(limits, group / name, *bytes, of_second);
  std::ifstream in(group / "cpu.max");
  if (std::size_t quota = 0, period = 0; in >> quota >> period)
    limit_cores(limits, group / "cpu.max", quota, period);
}

void limit_by_first(GroupLimits& limits, const fs::path& group) {
  if (const auto bytes = number_of_file(group / "memory.limit_in_bytes"))
    limit_memory(limits, group / "memory.limit_in_bytes", *bytes, of_first);
  // The limits of all groups around it, also of those that a container does not see.
  if (const std::size_t bytes = stat_entry(group / "memory.stat", "hierarchical_memory_limit"))
    limit_memory(limits, group / "memory.stat", bytes, of_first);
}

}  // namespace

GroupLimits group_limits(const fs::path& root) {
  GroupLimits limits;
  const auto all = mounted(root);
  for (const fs::path& group : folders(root, all, "")) limit_by_second(limits, group);
  for (const fs::path& group : folders(root, all, "memory")) {
    limit_by_first(limits, group);
    // Without it, a group does not limit those in it.
    if (number_of_file(group.parent_path() / "memory.use_hierarchy") == std::size_t{0}) break;
  }
  for (const fs::path& group : folders(root, all, "cpu"))
    if (const auto quota = number_of_file(group / "cpu.cfs_quota_us"))
      limit_cores(limits, group / "cpu.cfs_quota_us", *quota,
                  number_of_file(group / "cpu.cfs_period_us").value_or(0));
  return limits;
}

}  // namespace semblance
