// SPDX-License-Identifier: MIT
#include "report/tables/metric_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/figure_text.hpp"

namespace semblance {
namespace {

bool has_shares(const ResultTable& table) {
  return table.unit == FigureUnit::share &&
         std::ranges::all_of(table.methods, [](const Method& method) {
           return std::ranges::all_of(method.measurements, [](const Measurement& m) {
             return !std::isfinite(m.value) || (m.value >= 0 && m.value <= 1);
           });
         });
}

int power_of_ten(double value) { return static_cast<int>(std::floor(std::log10(value))); }

}  // namespace

MetricNumbers::MetricNumbers(const ResultTable& table, const Comparison& comparison)
    : share_(has_shares(table)),
      seconds_(table.unit == FigureUnit::seconds),
      bytes_(table.unit == FigureUnit::bytes) {
  if (share_) return;
  double greatest = 0, least = std::numeric_limits<double>::infinity();
  for (const Standing& standing : comparison.standings)
    if (const double size = std::abs(standing.mean); std::isfinite(size) && size > 0) {
      greatest = std::max(greatest, size);
      least = std::min(least, size);
    }
  if (greatest == 0) return;
  const int power = power_of_ten(greatest);
  exponents_ = power >= 7 || power < -3;
  decimals_ =
      exponents_ ? 3 : std::max({0, 3 - power, std::min(1 - power_of_ten(least), 6 - power)});
}

std::string MetricNumbers::text(double value) const {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  const double shown = share_ ? 100 * std::abs(value) : std::abs(value);
  const std::string digits = exponents_ ? fmt::format("{:.{}e}", shown, decimals_)
                                        : fmt::format("{:.{}f}", shown, decimals_);
  const bool zero = digits.find_first_of("123456789") == std::string::npos;
  return (value < 0 && !zero ? "-" : "") + digits;
}

std::string MetricNumbers::signed_text(double value) const {
  const std::string plain = text(value);
  const bool zero = plain.find_first_of("123456789") == std::string::npos;
  return value > 0 && !zero ? "+" + plain : plain;
}

bool shows_pooled(const ResultTable& table, const Comparison& comparison) {
  const MetricNumbers numbers(table, comparison);
  for (std::size_t m = 0; m < table.methods.size(); ++m)
    if (const auto& pooled = table.methods[m].pooled;
        pooled && numbers.text(*pooled) != numbers.text(comparison.standings[m].mean))
      return true;
  return false;
}

std::string metric_words(const ResultTable& table) {
  return figure_words(table.metric.substr(table.metric.rfind('.') + 1), table.unit);
}

std::string p_text(double p) { return p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p); }

std::string p_relation_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("= {:.3f}", p); }

}  // namespace semblance
