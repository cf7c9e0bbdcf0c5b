// SPDX-License-Identifier: MIT
// The program with its libraries, and the machine.
#include <archive.h>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <oneapi/tbb/version.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <xxhash.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/doctor/doctor.hpp"
#include "data/transfer.hpp"
#include "runtime/services/chosen_device.hpp"
#include "runtime/services/control_groups.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/plugin.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The value of `key` in a file of "key<separator>value" lines, without quotes.
std::string value_in(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto at = line.find(separator);
    if (at == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t\"", at + 1);
    const auto end = line.find_last_not_of(" \t\"");
    return begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
  }
  return "";
}

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string memory_text(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

/// libcurl is loaded on demand.
std::string version_of_libcurl() {
  try {
    return transfer_functions().library();
  } catch (const Error& problem) {
    return problem.what();
  }
}

Json libraries() {
  return {{"oneTBB", fmt::format("{} (built with {})", TBB_runtime_version(), TBB_VERSION_STRING)},
          {"Eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"Highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
          {"yaml-cpp", SEMBLANCE_YAML_CPP},
          {"libarchive", archive_version_details()},
          {"libcurl", version_of_libcurl()},
          {"SQLite", sqlite3_libversion()},
          {"Boost", BOOST_LIB_VERSION},
          {"fmt", fmt::format("{}", FMT_VERSION)},
          {"xxHash", fmt::format("{}", XXH_versionNumber())},
          {"nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                        NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
}

/// The variables that change what the program does; other variables are private.
Json variables() {
  Json seen = Json::object();
  for (const char* name : {"SEMBLANCE_DATA", "SEMBLANCE_CACHE", "SEMBLANCE_PLUGIN_PATH", "HOME",
                           "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR", "LANG", "LC_ALL",
                           "OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "LD_LIBRARY_PATH", "LD_PRELOAD"})
    if (const char* value = ::getenv(name)) seen[name] = value;
  return seen;
}

}  // namespace

void examine_program(Examination& seen) {
  seen.section("program", [&](Json& facts) {
    facts["version"] = SEMBLANCE_VERSION;
    std::error_code failure;
    facts["file"] = std::filesystem::read_symlink("/proc/self/exe", failure).string();
    facts["compiler"] = SEMBLANCE_COMPILER;
    facts["build"] = SEMBLANCE_BUILD;
    facts["SDK API"] = sdk_api;
    facts["binary interface"] = host_fingerprint();
    facts["libraries"] = libraries();
    facts["environment"] = variables();
  });
}

void examine_machine(Examination& seen) {
  seen.section("machine", [&](Json& facts) {
    utsname name = {};
    if (::uname(&name) == 0)
      facts["system"] = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
    facts["distribution"] = or_unknown(value_in("/etc/os-release", "PRETTY_NAME", '='));
    facts["CPU"] = or_unknown(value_in("/proc/cpuinfo", "model name", ':'));
    facts["GPU"] = gpu_text();
    facts["threads of the CPU"] = std::thread::hardware_concurrency();
    const GroupLimits group = group_limits();
    facts["cores that the control group is given"] =
        group.cores_file.empty() ? "all"
                                 : fmt::format("{:.3g} ({})", group.cores, group.cores_file);
    facts["threads that may be used"] = available_threads();
    const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE));
    facts["memory"] = memory_text(pages * page);
    facts["memory available"] = or_unknown(value_in("/proc/meminfo", "MemAvailable", ':'));
    facts["memory that the control group is given"] =
        group.memory >= pages * page
            ? "all"
            : fmt::format("{}, of which {} are left ({})", memory_text(group.memory),
                          memory_text(group.memory_left), group.memory_file);
    facts["memory that a run takes at most"] = memory_text(default_memory(available_threads()));
    constexpr std::size_t least = std::size_t{1} << 30;
    if (default_memory(available_threads()) < least)
      seen.remark(
          "a run has less than 1 GiB of memory",
          "use small data sets, or raise the control group's limit (of the container or the "
          "job) where there is one");
  });
}

}  // namespace semblance::cli
