// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/check_pipeline.hpp"

namespace semblance::testing {

/// Declarations of components without function, one or two of each kind.
const Catalogue& test_catalogue();

/// A small pipeline that is right: images -> hog -> x -> similarity -> solver -> evaluator.
extern const char* const good_text;

/// Checks without looking for files; the file is called p.yaml, the data folder /data.
PipelineCheck check(const std::string& text, std::vector<std::string> overrides = {});

/// `text` with the single occurrence of `from` replaced; fails the test if there is not exactly
/// one.
std::string replaced(const std::string& text, const std::string& from, const std::string& to);

/// good_text with one change.
std::string changed(const std::string& from, const std::string& to);

/// An invalid pipeline and the complete message about it.
struct Wrong {
  const char* what;
  std::string text;
  std::string rendered;
  std::vector<std::string> overrides = {};
};

/// Checks that there is no pipeline and that the message is exactly `rendered`, which starts with a
/// line break, so that in a raw string it has its own lines.
void expect(const Wrong& wrong);

}  // namespace semblance::testing
