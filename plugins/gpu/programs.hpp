// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/device.hpp"

/// The programs that are made of the .cu files of this folder.
extern const semblance::DeviceProgram row_pairs_program;
extern const semblance::DeviceProgram elastic_dtw_program;
extern const semblance::DeviceProgram elastic_wdtw_program;
extern const semblance::DeviceProgram elastic_erp_program;
extern const semblance::DeviceProgram elastic_msm_program;
extern const semblance::DeviceProgram elastic_twe_program;
extern const semblance::DeviceProgram elastic_edr_program;
extern const semblance::DeviceProgram elastic_lcss_program;
