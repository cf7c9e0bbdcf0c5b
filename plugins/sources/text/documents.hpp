// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "class_names.hpp"
#include "semblance/context.hpp"
#include "text/string_rows.hpp"

namespace semblance {

/// The files of a folder of documents, by name: those right in its subfolders, each of which is a
/// class, or, where there are none, those in the folder itself. Hidden ones are passed over. Paths
/// are as they can be opened. Throws DataError where there are none.
std::vector<std::string> list_documents(const std::string& folder);

/// Whether the path is a folder.
bool is_folder(const std::string& path);

/// Appends the documents of a folder, whose texts must be of this encoding: utf8 or latin1. The
/// name of a document's subfolder is its class; `format` says whether it may lack one, and whether
/// it may be a new one. Throws DataError naming the file of what is wrong.
void read_documents(const std::string& folder, const std::string& encoding,
                    const StringFormat& format, StringRows& rows, Context& context);

}  // namespace semblance
