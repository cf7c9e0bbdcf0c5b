// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// A machine that others have trained, and the pipeline that it becomes the solver of.
struct ImportedMachine {
  std::string pipeline;  ///< as YAML: a source and a solver
  std::string source, solver;
  std::size_t inputs = 0;
  std::vector<std::string> classes;
  const SupportVectorMachine* vectors = nullptr;  ///< one of the two
  const LiblinearMachine* linear = nullptr;
};

/// Writes a model folder as a run would have left it. Throws Error.
void write_imported_model(const ImportedMachine& machine, const Catalogue& catalogue,
                          const RunOptions& options, const std::filesystem::path& out);

}  // namespace semblance
