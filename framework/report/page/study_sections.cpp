// SPDX-License-Identifier: MIT
#include "report/page/study_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "semblance/error.hpp"
#include "statistics/resolution.hpp"

namespace semblance {
namespace {

std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// "C=" of "C=0.1", "" of "0.1".
std::string_view words_before_number(std::string_view text) {
  const std::size_t end = text.find_last_of("=: ");
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end + 1);
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
  for (const std::size_t slot : varying_slots(study_)) {
    const std::string& choice = method(i).choices[slot];
    if (choice.empty()) continue;
    text += text.empty() ? "" : " · ";
    // A number alone says nothing.
    text += whole_number(choice) ? study_.slots[slot].name + " = " + choice : choice;
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

std::optional<std::size_t> StudyMethods::best() const {
  for (std::size_t i = 0; i < size(); ++i)
    if (standing(i).best) return i;
  return std::nullopt;
}

std::optional<std::size_t> StudyMethods::choice(std::size_t i, std::size_t slot) const {
  if (slot >= method(i).choices.size()) return std::nullopt;
  const std::vector<std::string>& alternatives = study_.slots[slot].alternatives;
  const auto found = std::ranges::find(alternatives, method(i).choices[slot]);
  if (found == alternatives.end()) return std::nullopt;
  return static_cast<std::size_t>(found - alternatives.begin());
}

std::vector<std::size_t> varying_slots(const StudyRecord& study) {
  std::vector<std::size_t> slots;
  for (std::size_t i = 0; i < study.slots.size(); ++i)
    if (study.slots[i].alternatives.size() > 1) slots.push_back(i);
  return slots;
}

std::vector<double> slot_numbers(const SlotRecord& slot) {
  std::vector<double> numbers;
  for (const std::string& alternative : slot.alternatives) {
    const std::string_view words = words_before_number(alternative);
    const std::optional<double> number =
        whole_number(std::string_view(alternative).substr(words.size()));
    if (!number || words != words_before_number(slot.alternatives.front()) ||
        std::ranges::find(numbers, *number) != numbers.end())
      return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace semblance
