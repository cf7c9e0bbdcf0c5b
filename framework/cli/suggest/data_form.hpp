// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance::cli {

/// The form of a user's data, judged by their content, not by their name.
enum class DataForm {
  text_table,
  arff_table,
  hdf5_matrix,
  sparse_text,
  array_of_rows,
  array_of_pictures,
  pictures
};

/// Its name in pipelines/suggest/sources.json: "text table", "sparse text", ...
const char* name(DataForm form);

/// Throws UsageError, with what was found, if the data have none of these forms.
DataForm data_form(const std::filesystem::path& data);

}  // namespace semblance::cli
