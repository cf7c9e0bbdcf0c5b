// SPDX-License-Identifier: MIT
#include "report/page/study_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figure_text.hpp"

namespace semblance {

StudyNumbers::StudyNumbers(const StudyMethods& methods)
    : share_(methods.is_share()),
      seconds_(methods.study().results.unit == FigureUnit::seconds),
      bytes_(methods.study().results.unit == FigureUnit::bytes) {
  if (share_) return;
  double greatest = 0;
  for (std::size_t i = 0; i < methods.size(); ++i)
    if (std::isfinite(methods.standing(i).mean))
      greatest = std::max(greatest, std::abs(methods.standing(i).mean));
  if (greatest == 0) return;
  const int power = static_cast<int>(std::floor(std::log10(greatest)));
  exponents_ = power >= 7 || power < -3;
  decimals_ = exponents_ ? 3 : std::max(0, 3 - power);
}

std::string StudyNumbers::text(double value) const {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const double shown = share_ ? 100 * std::abs(value) : std::abs(value);
  const std::string digits = exponents_ ? fmt::format("{:.{}e}", shown, decimals_)
                                        : fmt::format("{:.{}f}", shown, decimals_);
  const bool zero = digits.find_first_of("123456789") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + digits;
}

std::string StudyNumbers::signed_text(double value) const {
  const std::string plain = text(value);
  const bool zero = plain.find_first_of("123456789") == std::string::npos;
  return value > 0 && !zero ? "+" + plain : plain;
}

std::string metric_words(const ResultTable& results) {
  return figure_words(results.metric, results.unit);
}

std::string p_text(double p) { return p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p); }

std::string p_relation_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("= {:.3f}", p); }

}  // namespace semblance
