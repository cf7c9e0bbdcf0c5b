// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verb.hpp"

namespace semblance::cli {

/// The option of verbs that compute: --device.
void add_device_option(options::options_description& described);

/// Chooses the device for all runs of this process (choose_device()), unless it only submits
/// workers to a cluster. Throws Error if it is to be a GPU and there is none that can be used.
void device_option(const options::variables_map& values);

}  // namespace semblance::cli
