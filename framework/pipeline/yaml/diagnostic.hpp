// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/yaml/source_text.hpp"

namespace semblance {

enum class Severity { error, warning };

/// One error in a pipeline, with its place. Self-contained: it carries the source line.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;   ///< as the user gave it; "--set" for an override
  Position position;  ///< of the faulty token, in characters; line 0: the whole file
  int length = 1;     ///< of the token, in characters
  std::string message;
  std::string help;  ///< what to do: "did you mean 'gamma'?"; may be empty
  std::string line;  ///< the source line, or the --set argument
};

/// `file.yaml:12:9: error: ...`, then the line with a caret under the token, then the help. Ends
/// with a newline. Nothing in it can move a terminal's cursor: control characters are shown as
/// `\x1b`.
std::string render(const Diagnostic& diagnostic);

/// All diagnostics, in order.
std::string render(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics) noexcept;

/// For messages: 'text', shortened if long, without control characters.
std::string quote(std::string_view text);

}  // namespace semblance
