// SPDX-License-Identifier: MIT
#include "text/label_rule.hpp"

#include "text/number_form.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {

bool LabelRule::is_missing(std::string_view label) const {
  if (label.empty()) return true;
  if (declared) return label == "?";
  return missing != MissingLabels::classes && marks_missing(label);
}

std::int32_t LabelRule::number_of_missing(
    std::string_view label, const std::function<void(const std::string&)>& fail) const {
  if (missing == MissingLabels::drop) return left_out_label;
  if (missing == MissingLabels::unknown) return no_label;
  const std::string remedy = "fill it in, or set 'missing_labels: drop' to drop such rows";
  if (label.empty()) fail("is empty; " + remedy);
  if (declared) fail("is missing; " + remedy);
  fail("is " + in_quotes(label) + ", which stands for a missing value; " + remedy +
       ", or 'missing_labels: classes' if it is the name of a class");
  return no_label;
}

std::int32_t LabelRule::number(std::string_view label, ClassNames& classes,
                               const std::function<void(const std::string&)>& fail) const {
  if (is_missing(label)) return number_of_missing(label, fail);
  if (!is_utf8(label)) fail("is not UTF-8 text; save the file as UTF-8");
  return classes.add(label);
}

}  // namespace semblance::sources
