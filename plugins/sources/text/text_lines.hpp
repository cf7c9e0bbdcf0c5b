// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "semblance/row_lines.hpp"
#include "semblance/source.hpp"
#include "text/string_rows.hpp"
#include "text/terms.hpp"

namespace semblance::sources {

/// Reads documents for a model: each line is a text, or has fields as a table of labels and texts.
/// `model`, whose columns are terms in the order of their bytes, or none where they are hashed,
/// must live as long.
std::unique_ptr<RowLines> text_lines(const NewData& model, StringFormat format,
                                     const TermFormat& terms);

}  // namespace semblance::sources
