// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/device.hpp"

/// The programs that are made of the .cu files of this folder.
extern const semblance::DeviceProgram grid_pairs_program, row_pairs_program, tall_matrix_program;
