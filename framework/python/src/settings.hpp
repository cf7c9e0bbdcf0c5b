// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "interruptible.hpp"
#include "pipeline/check_options.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance::python {

/// How a training or a run is done, as Python says it.
struct Settings {
  RunOptions run;
  CheckOptions check;
  bool return_on_interrupt = false;
};

/// Out of {"threads", "memory", "deadline", "seed", "cache", "data_folder", "plugin_paths",
/// "return_on_interrupt", "command"}; each may be missing or None. `memory` is in bytes or a text
/// such as "4G"; `cache` is True (the user's), a folder, or None: no store. Raises TypeError or
/// ValueError; plugin paths are added for the process.
Settings settings_from(const pybind11::dict& options);

/// Lets `call` cancel the run and receive its progress, for `progress` of Python.
void attach(Interruptible& call, Settings& settings, const pybind11::object& progress);

}  // namespace semblance::python
