// SPDX-License-Identifier: MIT
#include "coverage_threshold.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

namespace semblance::calibrators {
namespace {

constexpr double rounding = 1e-12;  ///< of sums, relative

std::string text(const char* format, double number) {
  char written[64];
  std::snprintf(written, sizeof written, format, number);
  return written;
}

/// Divides the weight of each sample by that of its group.
Evidence share_within_groups(std::vector<HeldOutValue>& values) {
  std::unordered_map<std::int32_t, double> weights;
  for (const HeldOutValue& one : values) weights[one.group] += one.weight;
  for (HeldOutValue& one : values) one.weight /= weights[one.group];
  return {static_cast<double>(weights.size()), true, false};
}

/// Scales weights so that their sum is the effective number of samples.
Evidence scale_to_effective_number(std::vector<HeldOutValue>& values) {
  double sum = 0, squares = 0;
  const double largest = std::ranges::max(values, {}, &HeldOutValue::weight).weight;
  for (HeldOutValue& one : values) {
    one.weight /= largest;
    sum += one.weight;
    squares += one.weight * one.weight;
  }
  for (HeldOutValue& one : values) one.weight *= sum / squares;
  const double equal = static_cast<double>(values.size());
  const bool differ = sum * sum / squares < equal * (1 - rounding);
  return {differ ? sum * sum / squares : equal, false, differ};
}

}  // namespace

std::vector<HeldOutValue> scores_of(const HeldOutNovelty& held_out, const std::string& learned) {
  std::vector<HeldOutValue> values;
  for (std::size_t i = 0; i < held_out.scores.size(); ++i) {
    if (held_out.weight(i) == 0) continue;
    if (!std::isfinite(held_out.scores[i]))
      throw Error("a held-out score is not a finite number, so no " + learned +
                  " can be learned; check the rows that the detector was given");
    values.push_back({double{held_out.scores[i]}, held_out.weight(i), held_out.group(i)});
  }
  return values;
}

Evidence weigh(std::vector<HeldOutValue>& values) {
  return values.front().group < 0 ? scale_to_effective_number(values) : share_within_groups(values);
}

bool Evidence::supports(double coverage) const {
  return coverage * (number + 1) <= number + rounding * (number + 1);
}

std::string CoverageThreshold::shortage(double coverage) const {
  if (evidence.supports(coverage)) return "";
  const double number = evidence.number;
  if (number == 0) return "there are no held-out rows";
  const std::string rows = evidence.groups ? text("%.0f groups of held-out rows", number)
                           : evidence.weights
                               ? text("held-out rows that count as %.1f by their weights", number)
                               : text("%.0f held-out rows", number);
  return rows + text(" promise at most %.1f %%", 100 * evidence.most()) +
         (evidence.groups ? " for rows of a new group" : "") +
         text(", less than the %g %% asked for", 100 * coverage);
}

void Promise::add(const CoverageThreshold& found, double asked, const std::string& of) {
  coverage = std::min(coverage, found.promised);
  const std::string shortage = found.shortage(asked);
  if (!shortage.empty()) shortages.push_back(of.empty() ? shortage : of + ": " + shortage);
}

CoverageThreshold coverage_threshold(std::vector<HeldOutValue> values, double coverage) {
  CoverageThreshold found;
  found.promised = coverage;
  if (values.empty()) return found;
  std::ranges::sort(values, {}, &HeldOutValue::value);
  found.evidence = weigh(values);
  if (!found.evidence.supports(coverage)) {
    if (found.evidence.groups) {
      found.value = values.back().value;
      found.promised = found.evidence.most();
    }
    return found;
  }
  const double all = found.evidence.number + 1;
  const double level = coverage * all - rounding * all;
  double below = 0;
  for (std::size_t first = 0, end = 0; first < values.size() && below < level; first = end) {
    found.value = values[first].value;
    for (; end < values.size() && values[end].value == found.value; ++end)
      below += values[end].weight;
  }
  return found;
}

}  // namespace semblance::calibrators
