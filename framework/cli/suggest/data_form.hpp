// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance::cli {

/// What a user's data are, told by what they hold, not by how they are called.
enum class DataForm { text_table, sparse_text, array_of_rows, array_of_pictures, pictures };

/// As pipelines/suggest/sources.json calls it: "text table", "sparse text", ...
const char* name(DataForm form);

/// Throws UsageError, saying what was found, where the data are none of these.
DataForm data_form(const std::filesystem::path& data);

}  // namespace semblance::cli
