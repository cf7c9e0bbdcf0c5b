// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verb.hpp"
#include "registry/discovery.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/transport.hpp"

namespace semblance::cli {

/// The option --mpi; `command` is how the program is called with it, for its help.
void add_ranks_option(options::options_description& described, const std::string& command);

/// The processes that mpirun has started beside this one, where --mpi is given; else nullptr. Gives
/// this rank its share of the machine's threads and memory, unless these options are given. Throws
/// Error where there is no MPI.
Transport* ranks_option(const options::variables_map& values, RunOptions& settings);

/// Throws UsageError where mpirun has started several processes of a command without --mpi: each
/// would do the whole of it, and write to one folder.
void refuse_copies(const options::variables_map& values);

/// Whether this process speaks for all: it is the first rank, or there are no others.
bool speaks(const Transport* transport) noexcept;

/// Finds and loads plugins; only the first rank tells the warnings.
Discovery discover(const options::variables_map& values, const Transport* transport);

/// Whether all ranks have got this far. Where the first has and another has not, that one says
/// `problem`.
bool all_have(Transport* transport, bool own, const std::string& problem);

}  // namespace semblance::cli
