// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verb.hpp"
#include "registry/discovery.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/transport.hpp"

namespace semblance::cli {

/// Adds the option --mpi; `command` is the program's command with it, for its help.
void add_ranks_option(options::options_description& described, const std::string& command);

/// The processes that mpirun has started with this one, if --mpi is given; otherwise nullptr. Gives
/// this rank its share of the machine's threads and memory, unless these options are given. Throws
/// Error where there is no MPI.
Transport* ranks_option(const options::variables_map& values, RunOptions& settings);

/// Throws UsageError where mpirun has started several processes of a command without --mpi: each
/// would do all of the work, and write to one folder.
void refuse_copies(const options::variables_map& values);

/// Whether this process prints for all: it is the first rank, or the only one.
bool speaks(const Transport* transport) noexcept;

/// Finds and loads plugins; only the first rank prints warnings.
Discovery discover(const options::variables_map& values, const Transport* transport);

/// Whether all ranks have `own`. Where the first rank has it and another does not, that one reports
/// `problem`.
bool all_have(Transport* transport, bool own, const std::string& problem);

}  // namespace semblance::cli
