// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

/// Reads a catalogue of data sets: YAML with the single key `data_sets`, which has one mapping per
/// set. Every path in it must stay below the data folder. Throws Error with all errors, each with
/// its line.
std::vector<DataSet> read_data_catalogue(const std::filesystem::path& file);

/// The sets of the catalogues in this order; later files add to earlier ones. Missing files are
/// skipped. Throws Error where a name occurs twice.
std::vector<DataSet> read_data_catalogues(const std::vector<std::filesystem::path>& files);

}  // namespace semblance
