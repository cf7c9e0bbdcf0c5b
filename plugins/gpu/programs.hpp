// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/device.hpp"

/// The programs that are made of the .cu files of this folder.
extern const semblance::DeviceProgram row_pairs_program;
extern const semblance::DeviceProgram elastic_pairs_program;
