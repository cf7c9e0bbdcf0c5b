// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace semblance::cli {

/// What a user's data are, judged by their content, not by their name.
enum class DataForm {
  text_table,
  arff_table,
  hdf5_matrix,
  sparse_text,
  array_of_rows,
  array_of_pictures,
  pictures,
  series,
  array_of_series,
  sets,
  array_of_sets,
  strings,
  documents,
  graphs,
  graph_files,
  molecules
};

/// Its name in pipelines/suggest/sources.json: "text table", "sparse text", ...
const char* name(DataForm form);

struct KnownData {
  std::filesystem::path path;  ///< the training file, if the data are a folder of series
  DataForm form;
};

/// The form of the data. Content cannot tell series and sets in a table or an array from rows or
/// pictures: `as` says what they are ("table", "series", "sets", "strings", "documents" or
/// "molecules"), or is empty.
/// Throws UsageError, with what was found, if the data have none of these forms.
KnownData known_data(const std::filesystem::path& data, const std::string& as);

}  // namespace semblance::cli
