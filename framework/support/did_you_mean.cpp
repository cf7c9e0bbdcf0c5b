// SPDX-License-Identifier: MIT
#include "support/did_you_mean.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

namespace semblance {
namespace {

constexpr std::size_t longest_word = 60;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// The number of letters to change, insert or remove, or of neighbours to swap (optimal string
/// alignment).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min(
          {previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > longest_word) return std::nullopt;
  const std::string wanted = lower(word);
  const std::size_t allowed = wanted.size() <= 2 ? 1 : wanted.size() <= 5 ? 2 : wanted.size() / 3;
  std::optional<std::string> best;
  std::size_t best_distance = allowed + 1;
  std::vector<std::string> longer;
  for (const auto& candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest_word) continue;
    const std::string lowered = lower(candidate);
    if (wanted.size() >= 3 && lowered.starts_with(wanted)) longer.push_back(candidate);
    const std::size_t shorter = std::min(wanted.size(), lowered.size());
    if (std::max(wanted.size(), lowered.size()) - shorter >= best_distance) continue;
    const std::size_t d = distance(wanted, lowered);
    if (d < best_distance && d < shorter) {  // part of the word must remain
      best = candidate;
      best_distance = d;
    }
  }
  if (!best && longer.size() == 1) best = longer.front();
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto found = closest(word, candidates);
  return found ? "did you mean '" + *found + "'?" : "";
}

std::string enumerate(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string enumerate_alternatives(std::string_view word, std::vector<std::string> words) {
  constexpr std::size_t most = 8;
  std::ranges::stable_sort(words, std::greater(), [&](const std::string& other) {
    return std::ranges::mismatch(word, other).in1 - word.begin();
  });
  if (words.size() > most) {
    const std::string more = std::to_string(words.size() - most) + " more";
    words.resize(most);
    words.push_back(more);
  }
  return enumerate(words);
}

}  // namespace semblance
