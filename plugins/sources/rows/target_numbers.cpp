// SPDX-License-Identifier: MIT
#include "rows/target_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/parameters.hpp"

namespace semblance::sources {
namespace {

void refuse_missing(const TargetNumbers::Fail& fail) {
  fail("is missing; fill it in, or set 'missing_labels: drop' to drop such rows");
}

}  // namespace

void TargetNumbers::set_names(std::vector<std::string> names) {
  all_.names = std::move(names);
  precision_.resize(all_.names.size());
}

void TargetNumbers::add(std::size_t k, std::string_view text, NumberForm& form,
                        const LabelRule& rule, const Fail& fail) {
  float rounded = 0;
  double wide = 0;
  const char* const problem = form.parse(text, rounded, wide);
  if (problem && rule.is_missing(text)) {
    if (rule.missing != MissingLabels::unknown) refuse_missing(fail);
    return add_unknown();
  }
  if (problem) {
    const std::string remedy = form.remedy(text);
    fail("is " + in_quotes(text) + ", which " + problem + "; " +
         (remedy.empty() ? "correct it, or read classes instead if these are names" : remedy));
  }
  add_exact(precision_, k, wide, form.plain(text));
  all_.values.push_back(wide);
}

bool TargetNumbers::add_row(std::span<const double> row, const LabelRule& rule, const Fail& fail) {
  const bool lacks_one = std::ranges::any_of(row, [](double y) { return std::isnan(y); });
  if (lacks_one && rule.missing == MissingLabels::drop) {
    add_unknown_rows(1);
    return false;
  }
  if (lacks_one && rule.missing != MissingLabels::unknown) refuse_missing(fail);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double y = row[k];
    all_.values.push_back(y);
    if (std::isnan(y)) continue;
    const auto rounded = static_cast<float>(y);
    if (std::isinf(y)) fail("is not finite; correct it");
    if (std::isinf(rounded))
      fail("is " + to_text(Value(y)) +
           ", which is too large for float32; divide all targets by a constant");
    precision_.add(k, y);
  }
  return true;
}

void TargetNumbers::add_unknown_rows(std::size_t rows) {
  all_.values.resize(all_.values.size() + rows * all_.names.size(), unknown_target);
}

void TargetNumbers::keep(const std::vector<bool>& kept) {
  const std::size_t width = all_.names.size();
  std::size_t to = 0;
  for (std::size_t k = 0; k < all_.values.size(); ++k)
    if (kept[k / width]) all_.values[to++] = all_.values[k];
  all_.values.resize(to);
}

}  // namespace semblance::sources
