// SPDX-License-Identifier: MIT
// The means to use more than one process: MPI, the processor's cores for ranks.
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "cli/command.hpp"
#include "cli/doctor/doctor.hpp"
#include "registry/doors.hpp"

namespace semblance::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The first line of a program's version text; empty where there is no such program.
std::string version_of(const std::string& program) {
  const auto outcome = run_command({program, "--version"});
  if (!outcome || outcome->exit != 0) return "";
  return outcome->output.substr(0, outcome->output.find('\n'));
}

/// The cores that this process may use.
struct Cores {
  std::size_t sockets = 0;
  std::size_t cores = 0;
  std::size_t threads = 0;  ///< hardware threads
};

/// -1 where the number is unknown.
int number_in(const std::filesystem::path& file) {
  int number = -1;
  std::ifstream(file) >> number;
  return number;
}

Cores usable_cores() {
  cpu_set_t own;
  CPU_ZERO(&own);
  ::sched_getaffinity(0, sizeof own, &own);
  std::set<int> sockets;
  std::set<std::pair<int, int>> cores;
  Cores found;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &own)) continue;
    const std::filesystem::path topology =
        fmt::format("/sys/devices/system/cpu/cpu{}/topology", cpu);
    const int socket = number_in(topology / "physical_package_id"),
              core = number_in(topology / "core_id");
    sockets.insert(socket);
    // Where the core is unknown, each processor counts as one.
    cores.emplace(socket, core < 0 ? -2 - cpu : core);
    ++found.threads;
  }
  found.sockets = std::max<std::size_t>(1, sockets.size());
  found.cores = std::max<std::size_t>(1, cores.size());
  return found;
}

/// The command that starts this many ranks here, with this many cores each.
std::string command(std::size_t ranks, std::size_t cores, const char* by) {
  return fmt::format("mpirun{} -n {} --map-by {}:PE={} --bind-to core semblance run FILE --mpi",
                     ::geteuid() == 0 ? " --allow-run-as-root" : "", ranks, by, cores);
}

std::string mpi_library() {
  using Version = const char*();
  try {
    auto* const version = reinterpret_cast<Version*>(door_function(
        "mpi", "semblance_mpi_library",
        "build it on a machine with MPI (apt-get install libopenmpi-dev openmpi-bin)"));
    return version();
  } catch (const std::exception& problem) {
    return std::string("no: ") + problem.what();
  }
}

std::string or_not_found(const std::string& text) { return text.empty() ? "not found" : text; }

}  // namespace

void examine_ranks(Examination& seen) {
  seen.section("ranks and workers", [&](Json& facts) {
    const std::string library = mpi_library(), mpirun = version_of("mpirun");
    facts["MPI"] = library;
    facts["mpirun"] = or_not_found(mpirun);
    const Cores here = usable_cores();
    facts["sockets"] = here.sockets;
    facts["cores"] = here.cores;
    facts["threads of the cores"] = here.threads;
    // One rank per socket: its threads share memory, and there is little to send.
    const std::size_t each = std::max<std::size_t>(1, here.cores / here.sockets);
    facts["ranks x threads"] =
        fmt::format("{} x {}", here.sockets, each * (here.threads / here.cores));
    facts["started by"] = command(here.sockets, each, "socket");
    if (here.sockets == 1 && here.cores > 1) facts["to try two"] = command(2, each / 2, "slot");
    if (!library.starts_with("no: ") && mpirun.empty())
      seen.remark("MPI is installed, but there is no mpirun to start ranks",
                  "install it (apt-get install openmpi-bin), or put it on $PATH");
  });
}

}  // namespace semblance::cli
