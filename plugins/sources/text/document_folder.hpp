// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "text/string_rows.hpp"

namespace semblance::sources {

/// The files of a folder of documents, by name: those directly in its subfolders, each of which is
/// a class, or, without subfolders, those in the folder itself. Hidden ones are skipped. The paths
/// can be opened as they are. Throws DataError if there are none.
std::vector<std::string> list_documents(const std::string& folder);

/// Appends the documents of a folder, whose texts must have this encoding: utf8 or latin1. The name
/// of a document's subfolder is its class; `format` says whether it may be missing or new. Throws
/// DataError naming the file and the problem.
void read_documents(const std::string& folder, const std::string& encoding,
                    const StringFormat& format, StringRows& rows, Context& context);

}  // namespace semblance::sources
