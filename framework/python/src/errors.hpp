// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "pipeline/yaml/diagnostic.hpp"

namespace semblance::python {

/// A pipeline or study that cannot run, with everything that is wrong with it.
class BadPipeline : public std::runtime_error {
 public:
  explicit BadPipeline(std::vector<Diagnostic> diagnostics)
      : std::runtime_error(render(diagnostics)), diagnostics(std::move(diagnostics)) {}
  std::vector<Diagnostic> diagnostics;
};

/// Raised by a run that was stopped before there was any result.
class StoppedEarly : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Adds the exception classes and the warning to the module, and translates C++ exceptions:
/// Error becomes SemblanceError, DataError DataError, BadPipeline PipelineError, Cancelled and
/// StoppedEarly Stopped.
void add_errors(pybind11::module_& module);

/// Diagnostics as a list of dicts: file, line, column, length, message, help, severity.
pybind11::list diagnostics_list(const std::vector<Diagnostic>& diagnostics);

/// Issues a SemblanceWarning. Throws error_already_set where warnings are turned into errors.
void warn(const std::string& text);

}  // namespace semblance::python
