// SPDX-License-Identifier: MIT
#include "runtime/services/control_groups.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include "support/test_folder.hpp"

namespace semblance::control_groups_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The system's files, by path; their folders are made.
struct System {
  explicit System(const std::map<std::string, std::string>& files) {
    for (const auto& [name, content] : files) {
      const auto file = folder.path / name;
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file) << content;
    }
  }
  GroupLimits limits() const { return group_limits(folder.path); }
  std::string file(const std::string& name) const { return (folder.path / name).string(); }

  testing::TestFolder folder;
};

std::string second(const std::string& shown = "/", const std::string& place = "/sys/fs/cgroup") {
  return "36 35 0:31 " + shown + " " + place +
         " rw,nosuid shared:9 master:1 - cgroup2 cgroup rw,nsdelegate\n";
}

std::string first(const std::string& controllers, const std::string& shown = "/") {
  return "40 35 0:3 " + shown + " /sys/fs/cgroup/" + controllers + " rw - cgroup cgroup rw," +
         controllers + "\n";
}

/// Version 1 writes this where there is no limit.
constexpr const char* huge = "9223372036854771712\n";

}  // namespace

TEST_CASE("version 2: the tightest limit up the tree, less what is in use") {
  const System system({{"proc/self/mountinfo", second()},
                       {"proc/self/cgroup", "0::/job.slice/step 1/task\n"},
                       {"sys/fs/cgroup/job.slice/memory.max", "419430400\n"},
                       {"sys/fs/cgroup/job.slice/memory.current", "209715200\n"},
                       {"sys/fs/cgroup/job.slice/memory.stat",
                        "anon 104857600\nfile 104857600\nactive_file 31457280\n"
                        "inactive_file 62914560\nslab_reclaimable 10485760\n"},
                       {"sys/fs/cgroup/job.slice/cpu.max", "150000 100000\n"},
                       {"sys/fs/cgroup/job.slice/step 1/memory.max", "max\n"},
                       {"sys/fs/cgroup/job.slice/step 1/memory.high", "1073741824\n"},
                       {"sys/fs/cgroup/job.slice/step 1/cpu.max", "max 100000\n"},
                       {"sys/fs/cgroup/job.slice/step 1/task/cpu.max", "800000 100000\n"}});
  const GroupLimits limits = system.limits();
  CHECK(limits.memory == 400 * mebibyte);
  CHECK(limits.memory_left == 300 * mebibyte);
  CHECK(limits.memory_file == system.file("sys/fs/cgroup/job.slice/memory.max"));
  CHECK(limits.cores == 1.5);
  CHECK(limits.cores_file == system.file("sys/fs/cgroup/job.slice/cpu.max"));
}

TEST_CASE("version 2: memory.high counts, and an outer group that is fuller than an inner one") {
  const System system({{"proc/self/mountinfo", second()},
                       {"proc/self/cgroup", "0::/a/b\n"},
                       {"sys/fs/cgroup/a/memory.max", "629145600\n"},
                       {"sys/fs/cgroup/a/memory.current", "524288000\n"},
                       {"sys/fs/cgroup/a/b/memory.high", "209715200\n"}});
  CHECK(system.limits().memory_left == 100 * mebibyte);
  CHECK(system.limits().memory == 600 * mebibyte);
  std::ofstream(system.file("sys/fs/cgroup/a/memory.current")) << "0\n";
  CHECK(system.limits().memory_left == 200 * mebibyte);
  CHECK(system.limits().memory_file == system.file("sys/fs/cgroup/a/b/memory.high"));
  // More in use than a limit that was lowered later.
  std::ofstream(system.file("sys/fs/cgroup/a/b/memory.current")) << "900000000\n";
  CHECK(system.limits().memory_left == 0);
}

TEST_CASE("version 1: nested groups, each controller in a tree of its own") {
  const System system(
      {{"proc/self/mountinfo", first("cpu,cpuacct") + first("memory")},
       {"proc/self/cgroup", "9:memory:/slurm/job_7/step\n3:cpu,cpuacct:/other\n1:cpuset:/\n"},
       {"sys/fs/cgroup/memory/memory.limit_in_bytes", huge},
       {"sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", huge},
       {"sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "419430400\n"},
       {"sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "104857600\n"},
       {"sys/fs/cgroup/memory/slurm/job_7/memory.stat",
        "inactive_file 1048576\ntotal_inactive_file 52428800\nhierarchical_memory_limit "
        "419430400\n"},
       {"sys/fs/cgroup/memory/slurm/job_7/step/memory.limit_in_bytes", huge},
       {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
       {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
       {"sys/fs/cgroup/cpu,cpuacct/other/cpu.cfs_quota_us", "25000\n"},
       {"sys/fs/cgroup/cpu,cpuacct/other/cpu.cfs_period_us", "50000\n"}});
  const GroupLimits limits = system.limits();
  CHECK(limits.memory == 400 * mebibyte);
  CHECK(limits.memory_left == 350 * mebibyte);
  CHECK(limits.memory_file ==
        system.file("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes"));
  CHECK(limits.cores == 0.5);
}

TEST_CASE("version 1: a group without use_hierarchy does not limit those in it") {
  const System system({{"proc/self/mountinfo", first("memory")},
                       {"proc/self/cgroup", "4:memory:/a/b\n"},
                       {"sys/fs/cgroup/memory/a/memory.use_hierarchy", "0\n"},
                       {"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1048576\n"},
                       {"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "419430400\n"}});
  CHECK(system.limits().memory_left == 400 * mebibyte);
}

TEST_CASE("both versions at once: the limits of each") {
  const System system({{"proc/self/mountinfo",
                        first("memory") + second("/", "/sys/fs/cgroup/unified") + first("cpu")},
                       {"proc/self/cgroup", "9:name=systemd:/x\n4:memory:/a\n0::/b\n"},
                       {"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "524288000\n"},
                       {"sys/fs/cgroup/unified/b/memory.max", "419430400\n"},
                       {"sys/fs/cgroup/unified/b/cpu.max", "200000 100000\n"}});
  CHECK(system.limits().memory_left == 400 * mebibyte);
  CHECK(system.limits().cores == 2);
}

TEST_CASE("a container that sees its own group as the root of what is mounted") {
  // The path is the machine's, as without a namespace of groups.
  const System by_path({{"proc/self/mountinfo", first("memory", "/docker/1f")},
                        {"proc/self/cgroup", "4:memory:/docker/1f/inner\n"},
                        {"sys/fs/cgroup/memory/memory.limit_in_bytes", "419430400\n"},
                        {"sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "314572800\n"}});
  CHECK(by_path.limits().memory_left == 300 * mebibyte);
  // A path that is nowhere below what is mounted.
  for (const char* path : {"/elsewhere", "/../../other", "/docker/1fe/inner"}) {
    CAPTURE(path);
    const System mounted({{"proc/self/mountinfo", second("/docker/1f")},
                          {"proc/self/cgroup", std::string("0::") + path + "\n"},
                          {"sys/fs/cgroup/memory.max", "419430400\n"},
                          {"sys/fs/cgroup/inner/memory.max", "1\n"}});
    CHECK(mounted.limits().memory_left == 400 * mebibyte);
  }
  // Outer limits that only the sum in memory.stat shows.
  const System summed(
      {{"proc/self/mountinfo", first("memory", "/docker/1f")},
       {"proc/self/cgroup", "4:memory:/docker/1f\n"},
       {"sys/fs/cgroup/memory/memory.limit_in_bytes", huge},
       {"sys/fs/cgroup/memory/memory.stat", "cache 7\nhierarchical_memory_limit 419430400\n"}});
  CHECK(summed.limits().memory_left == 400 * mebibyte);
}

TEST_CASE("of several mounts, the one that shows most of the tree; blanks in its place") {
  const System system(
      {{"proc/self/mountinfo", second("/a/b", "/mnt/part") + second("/", "/mnt/all\\040of\\040it") +
                                   second("/c", "/mnt/others")},
       {"proc/self/cgroup", "0::/a/b\n"},
       {"mnt/part/memory.max", "838860800\n"},
       {"mnt/all of it/a/memory.max", "419430400\n"},
       {"mnt/all of it/a/b/memory.max", "838860800\n"},
       {"mnt/others/memory.max", "1\n"}});
  CHECK(system.limits().memory_left == 400 * mebibyte);
}

TEST_CASE("without limits there are none, and what cannot be read limits nothing") {
  const std::map<std::string, std::string> systems[] = {
      {},
      {{"proc/self/mountinfo", "damaged\n36 35 - cgroup2\n"}, {"proc/self/cgroup", "::\n0"}},
      {{"proc/self/mountinfo", second()}, {"proc/self/cgroup", "0::/gone (deleted)\n"}},
      {{"proc/self/mountinfo", second()},
       {"proc/self/cgroup", "0::/a\n"},
       {"sys/fs/cgroup/a/memory.max", "max\n"},
       {"sys/fs/cgroup/a/memory.high", "many\n"},
       {"sys/fs/cgroup/a/cpu.max", "max 100000\n"}},
      {{"proc/self/mountinfo", first("memory") + first("cpu")},
       {"proc/self/cgroup", "4:memory:/\n3:cpu:/\n"},
       {"sys/fs/cgroup/memory/memory.limit_in_bytes", huge},
       {"sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 9223372036854771712"},
       {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n"}}};
  for (const auto& files : systems) {
    const System system(files);
    CHECK(system.limits().memory_left == GroupLimits::none);
    CHECK(system.limits().memory == GroupLimits::none);
    CHECK(std::isinf(system.limits().cores));
    CHECK(system.limits().memory_file + system.limits().cores_file == "");
  }
}

}  // namespace semblance::control_groups_test
