// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "study/study.hpp"
#include "test_components.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A study of the pipeline p.yaml, then the arguments of --set, separated by NUL bytes.
FUZZ_TARGET(study) {
  static const std::string pipeline = scratch_file("p.yaml", testing::good_text);
  const std::string text(input.until('\0'));
  CheckOptions options;
  options.data = "/data";
  options.check_files = false;
  while (!input.empty() && options.overrides.size() < 4)
    options.overrides.emplace_back(input.until('\0'));
  const auto file = std::filesystem::path(pipeline).replace_filename("study.yaml");
  const StudyCheck result = check_study(text, file, testing::test_catalogue(), options);
  require(result.study.has_value() != has_errors(result.diagnostics),
          "neither a study nor an error, or both");
  for (const char c : render(result.diagnostics))
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "a message that cannot be shown");
  if (!result.study) return;
  const Study& study = *result.study;
  require(study.variants.size() <= most_variants && !study.variants.empty(), "too many variants");
  for (const StudyVariant& variant : study.variants) {
    require(variant.choices.size() == study.slots.size(), "a variant with other slots");
    for (std::size_t s = 0; s < study.slots.size(); ++s)
      require(variant.choices[s] < study.slots[s].alternatives.size(), "no such alternative");
    require(variant.combination < study.combinations && variant.repeat < study.repeats.size(),
            "a variant that is not counted");
  }
  require(!study.baseline || *study.baseline < study.combinations, "no such baseline");
}
