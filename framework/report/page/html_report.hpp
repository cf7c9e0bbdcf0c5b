// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "report/run_record.hpp"

namespace semblance {

/// The report of a run: one self-contained page that needs no network.
std::string html_report(const RunRecord& run);

/// Writes report.html atomically; throws Error.
void write_html_report(const RunRecord& run, const std::filesystem::path& file);

}  // namespace semblance
