// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "report/run_record.hpp"

namespace semblance {

/// A whole page: head, title and table of contents, the result, the warnings of `run`, the other
/// sections, and the scripts they need. `kind` is the page's subject: "run", "study". Nothing is
/// ever fetched.
std::string framed_page(const RunRecord& run, std::string_view kind, const std::string& result,
                        const std::string& sections);

/// A whole page without scripts: head, title and content.
std::string plain_page(const RunRecord& run, std::string_view kind, const std::string& content);

/// The sections with the page's style, without scripts: a piece of HTML whose style does not affect
/// the notebook that shows it. Empty without sections.
std::string notebook_frame(const std::string& sections);

}  // namespace semblance
