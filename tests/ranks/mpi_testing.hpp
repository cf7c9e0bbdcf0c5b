// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "program.hpp"

/// Helpers for tests of the program under mpirun.
namespace semblance::testing {

/// By default Open MPI refuses root and more ranks than cores; tests must run as any user on any
/// machine.
inline const std::string prepared_for_mpi =
    "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none "
    // Since Open MPI 5.
    "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "
    // Open MPI frees little at its end; what the program leaks, other tests find.
    "ASAN_OPTIONS=detect_leaks=0\n";

inline bool mpi_is_missing(const Workplace& work) {
  const bool door = std::filesystem::exists(SEMBLANCE_MPI_DOOR);
  const bool starter = work.shell("command -v mpirun").exit == 0;
  if (!door) MESSAGE("skipped: the program was built without MPI (apt-get install libopenmpi-dev)");
  if (!starter) MESSAGE("skipped: there is no mpirun (apt-get install openmpi-bin)");
  return !door || !starter;
}

inline Workplace::Outcome over_ranks(const Workplace& work, int ranks,
                                     const std::string& arguments) {
  return work.shell(prepared_for_mpi + "mpirun -n " + std::to_string(ranks) + " \"$program\" " +
                    arguments + " --mpi");
}

/// Two ranks with a command each. mpirun's own way to say so, with a colon, crashes in Debian 13's
/// Open MPI 5.0.7.
inline Workplace::Outcome over_two_ranks(const Workplace& work, const std::string& first,
                                         const std::string& second) {
  return work.shell(prepared_for_mpi +
                    "mpirun -n 2 sh -c 'if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then exec " + first +
                    "; else exec " + second + "; fi'");
}

}  // namespace semblance::testing
