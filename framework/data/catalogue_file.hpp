// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "data/data_set.hpp"

namespace semblance {

/// Reads a catalogue of data sets: YAML with the one key `data_sets`, in it one mapping a set.
/// Every path in it must stay below the data folder. Throws Error with everything that is wrong,
/// each with its line.
std::vector<DataSet> read_data_catalogue(const std::filesystem::path& file);

/// The sets of the catalogues in this order, later files adding to the earlier ones. Files that do
/// not exist are passed over. Throws Error where a name comes twice.
std::vector<DataSet> read_data_catalogues(const std::vector<std::filesystem::path>& files);

}  // namespace semblance
