// SPDX-License-Identifier: MIT
#include "cli/runs/ranks_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "cli/pipeline_options.hpp"
#include "registry/doors.hpp"
#include "registry/places.hpp"

namespace semblance::cli {
namespace {

Transport& open_mpi() {
  using Open = Transport*(const char**);
  const auto open = reinterpret_cast<Open*>(
      door_function("mpi", "semblance_mpi_transport",
                    "build it on a machine with MPI (apt-get install libopenmpi-dev openmpi-bin)"));
  const char* problem = nullptr;
  Transport* transport = open(&problem);
  if (!transport) throw Error(problem ? problem : "MPI cannot be started");
  return *transport;
}

/// How many processes mpirun has started, according to its environment variables (of Open MPI, and
/// of implementations that use PMI).
std::size_t started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::strtoul(size, nullptr, 10);
  return 1;
}

}  // namespace

void refuse_copies(const options::variables_map& values) {
  const std::size_t copies = values.count("mpi") ? 1 : started_together();
  if (copies > 1)
    throw UsageError(
        fmt::format("mpirun has started this command {} times, and without --mpi each "
                    "process would do all of it; add --mpi, or start it once",
                    copies));
}

void add_ranks_option(options::options_description& described, const std::string& command) {
  const std::string help =
      "share out the rows among the processes that mpirun has started: mpirun -n 4 semblance " +
      command + " --mpi";
  described.add_options()("mpi", help.c_str());
}

Transport* ranks_option(const options::variables_map& values, RunOptions& settings) {
  if (!values.count("mpi")) return nullptr;
  Transport& transport = open_mpi();
  settings.transport = &transport;
  if (!values.count("threads"))
    settings.threads = std::max<std::size_t>(1, settings.threads / transport.sharers());
  if (!values.count("memory")) {
    std::size_t here = 0;
    for (std::size_t r = 0; r < transport.ranks(); ++r)
      here += transport.place(r) == transport.place(transport.rank());
    settings.memory /= here;
  }
  return &transport;
}

bool speaks(const Transport* transport) noexcept { return !transport || transport->rank() == 0; }

Discovery discover(const options::variables_map& values, const Transport* transport) {
  return speaks(transport) ? discover(values)
                           : semblance::discover(option_texts(values, "plugin-path"));
}

bool all_have(Transport* transport, bool own, const std::string& problem) {
  if (!transport) return own;
  const char mine = own ? 1 : 0;
  std::vector<char> all(transport->ranks());
  const std::vector<std::size_t> sizes(transport->ranks(), 1);
  transport->gather(std::as_bytes(std::span(&mine, 1)), sizes,
                    std::as_writable_bytes(std::span(all)));
  if (all[0] && !own)
    fmt::print(stderr, "rank {} on {}:\n{}", transport->rank(), transport->place(transport->rank()),
               problem);
  return std::ranges::find(all, 0) == all.end();
}

}  // namespace semblance::cli
