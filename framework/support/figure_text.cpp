// SPDX-License-Identifier: MIT
#include "support/figure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "support/number_text.hpp"

namespace semblance {

std::string words(std::string_view name) {
  std::string text;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = name.find('_');
    std::string word(name.substr(0, end));
    // Acronyms.
    if (word == "eer" || word == "auc" || word == "roc" || word == "det")
      std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
    text += (text.empty() ? "" : " ") + word;
    if (end != std::string_view::npos) name.remove_prefix(end + 1);
  }
  return text;
}

std::string figure_words(std::string_view name, FigureUnit unit) {
  const auto without = [&](std::string_view ending) {
    return words(name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name);
  };
  if (unit == FigureUnit::seconds && name.ends_with("_seconds"))
    return without("_seconds") + " time";
  return unit == FigureUnit::bytes ? without("_bytes") : words(name);
}

std::string percent(double share, int decimals) {
  return fmt::format("{:.{}f}", 100 * share, decimals);
}

std::string figure_text(FigureUnit unit, double value) {
  if (unit == FigureUnit::share && value >= 0 && value <= 1) return percent(value, 2) + "%";
  if (unit == FigureUnit::seconds) return seconds_text(value);
  if (unit == FigureUnit::bytes && value >= 0) return bytes_text(value);
  return quantity_text(value);
}

}  // namespace semblance
