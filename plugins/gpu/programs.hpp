// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/device.hpp"

/// The programs that are made of the .cu files of this folder.
extern const semblance::DeviceProgram grid_pairs_program, row_pairs_program, tall_matrix_program;
extern const semblance::DeviceProgram elastic_dtw_program, elastic_wdtw_program;
extern const semblance::DeviceProgram elastic_erp_program, elastic_msm_program;
extern const semblance::DeviceProgram elastic_twe_program;
extern const semblance::DeviceProgram elastic_edr_program, elastic_lcss_program;
