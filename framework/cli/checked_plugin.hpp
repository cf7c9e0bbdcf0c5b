// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace semblance::cli {

/// The work order of a started worker of `check-plugin`.
struct CheckWork {
  std::filesystem::path library;
  std::string component;        ///< empty: list the components
  std::size_t first_check = 0;  ///< of the component's checks; earlier ones have run
  std::vector<std::string> plugin_paths;
  std::vector<std::string> settings;  ///< KIND/NAME.PARAMETER=VALUE

  std::vector<std::string> arguments() const;
  static CheckWork from_arguments(const std::vector<std::string>& arguments);
};

/// KIND/NAME of a setting. Throws UsageError if it does not have that form.
std::string component_of_setting(const std::string& setting);

/// The first argument of a worker; users never type it.
inline constexpr const char* worker_mark = "--worker";

/// Runs in the worker. Writes lines of fields, separated by tabs, to
/// SupervisedProcess::report_descriptor: `plugin NAME VERSION LICENCE`, `component ID`; for each
/// check `begin NUMBER NAME` and then `ok`, `failed WHY` or `skipped WHY`; `refused WHY` if
/// nothing can be checked; finally `end`.
int check_worker(const CheckWork& work);

}  // namespace semblance::cli
