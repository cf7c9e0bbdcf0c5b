// SPDX-License-Identifier: MIT
#include "report/page/study_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "semblance/error.hpp"
#include "statistics/resolution.hpp"

namespace semblance {
namespace {

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

bool same_choices(const StudyRecord& study, const VariantRecord& variant, const Method& method) {
  if (variant.choices.size() != study.slots.size() || method.choices.size() != study.slots.size())
    return false;
  for (std::size_t slot = 0; slot < study.slots.size(); ++slot) {
    const std::vector<std::string>& alternatives = study.slots[slot].alternatives;
    // A combination without the slot has no alternative of it.
    const bool has = variant.choices[slot] < alternatives.size();
    if ((has ? alternatives[variant.choices[slot]] : "") != method.choices[slot]) return false;
  }
  return true;
}

}  // namespace

StudyMethods::StudyMethods(const StudyRecord& study)
    : study_(study), numbers_(study.results, study.comparison) {
  if (study.comparison.standings.size() != size())
    throw Error(fmt::format("the comparison of the study has {} methods, but its results have {}",
                            study.comparison.standings.size(), size()));
  variants_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    for (const VariantRecord& variant : study.variants)
      if (same_choices(study, variant, method(i))) variants_[i].push_back(&variant);
    std::ranges::stable_sort(variants_[i], {}, &VariantRecord::repeat);
  }
}

std::string StudyMethods::name(std::size_t i) const {
  if (method(i).choices.size() != study_.slots.size()) return method(i).name;
  std::string text;
  for (std::size_t slot = 0; slot < study_.slots.size(); ++slot) {
    const std::string& choice = method(i).choices[slot];
    if (choice.empty() || study_.slots[slot].alternatives.size() < 2) continue;
    text += text.empty() ? "" : " · ";
    // A number alone says nothing.
    text += is_number(choice) ? study_.slots[slot].name + " = " + choice : choice;
  }
  return text.empty() ? method(i).name : text;
}

std::vector<std::size_t> StudyMethods::by_quality() const {
  std::vector<double> means(size());
  const double sign = study_.results.higher_is_better ? -1 : 1;
  std::size_t most = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    means[i] = sign * standing(i).mean;
    most = std::max(most, standing(i).measured);
  }
  std::vector<std::size_t> order = statistics::groups_of_same(means).order;
  std::ranges::stable_partition(order, [&](std::size_t i) { return standing(i).measured == most; });
  return order;
}

std::optional<std::size_t> StudyMethods::choice(std::size_t i, std::size_t slot) const {
  if (slot >= method(i).choices.size()) return std::nullopt;
  const std::vector<std::string>& alternatives = study_.slots[slot].alternatives;
  const auto found = std::ranges::find(alternatives, method(i).choices[slot]);
  if (found == alternatives.end()) return std::nullopt;
  return static_cast<std::size_t>(found - alternatives.begin());
}

}  // namespace semblance
