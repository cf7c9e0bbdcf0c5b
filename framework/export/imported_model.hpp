// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// A machine trained by another program, and the pipeline that has it as solver.
struct ImportedMachine {
  std::string pipeline;  ///< as YAML: a source and a solver
  std::string source, solver;
  std::size_t inputs = 0;
  std::vector<std::string> classes;
  const SupportVectorMachine* vectors = nullptr;  ///< exactly one of the two is set
  const LiblinearMachine* linear = nullptr;
};

/// Writes a model folder like that of a run. Throws Error.
void write_imported_model(const ImportedMachine& machine, const Catalogue& catalogue,
                          const RunOptions& options, const std::filesystem::path& out);

}  // namespace semblance
