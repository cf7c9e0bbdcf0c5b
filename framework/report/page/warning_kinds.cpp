// SPDX-License-Identifier: MIT
#include "report/page/warning_kinds.hpp"

#include <fmt/format.h>

#include <cctype>
#include <map>

#include "report/page/html.hpp"

namespace semblance {
namespace {

constexpr std::size_t most_open_kinds = 3;
constexpr std::size_t most_of_a_kind = 200;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the number ends that starts at `at`: "5", "1,024", "0.25", "1e-05".
std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto digit_at = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  while (digit_at(at) ||
         (at < text.size() && (text[at] == '.' || text[at] == ',') && digit_at(at + 1)))
    ++at;
  if (at >= text.size() || text[at] != 'e') return at;
  std::size_t exponent = at + 1;
  if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
  if (!digit_at(exponent)) return at;
  while (digit_at(exponent)) ++exponent;
  return exponent;
}

/// Where the quoted or bracketed name ends that starts at `at`; `at` itself where none does. The
/// apostrophe of "Wilcoxon's" quotes nothing.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  const char open = text[at];
  if (open != '\'' && open != '"' && open != '[') return at;
  if (open != '[' && at > 0 && is_word(text[at - 1])) return at;
  const std::size_t end = text.find(open == '[' ? ']' : open, at + 1);
  return end == std::string_view::npos ? at : end + 1;
}

/// The text without the name of the node that it begins with: "svm: ", "test[linear,seed=1]: ".
std::string_view without_node(std::string_view text) {
  const std::size_t end = text.find(": ");
  return end == std::string_view::npos || text.find(' ') < end ? text : text.substr(end + 2);
}

std::string list_item(const WarningKind& kind) {
  const std::string first = html::escaped(kind.warnings.front());
  if (kind.warnings.size() == 1) return "<li>" + first + "</li>";
  std::string out = fmt::format(
      R"(<li><details><summary>{} <span class="count">and {} more like it</span></summary><ul>)",
      first, kind.warnings.size() - 1);
  for (std::size_t i = 1; i < kind.warnings.size() && i < most_of_a_kind; ++i)
    out += "<li>" + html::escaped(kind.warnings[i]) + "</li>";
  out += "</ul>";
  if (kind.warnings.size() > most_of_a_kind)
    out += fmt::format("<p>run.log has the other {}.</p>", kind.warnings.size() - most_of_a_kind);
  return out + "</details></li>";
}

}  // namespace

std::string kind_of_warning(std::string_view warning) {
  const std::string_view text = without_node(warning);
  std::string kind;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = end_of_name(text, at);
    if (end == at && is_digit(text[at]) && (at == 0 || !is_word(text[at - 1])))
      end = end_of_number(text, at);
    if (end == at)
      kind += text[at++];
    else
      kind += '\0', at = end;
  }
  return kind;
}

std::vector<WarningKind> warning_kinds(const std::vector<std::string>& warnings) {
  std::vector<WarningKind> kinds;
  std::map<std::string, std::size_t> places;
  for (const std::string& warning : warnings) {
    const auto [place, added] = places.emplace(kind_of_warning(warning), kinds.size());
    if (added) kinds.emplace_back();
    kinds[place->second].warnings.push_back(warning);
  }
  return kinds;
}

std::string warnings_html(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "";
  const std::vector<WarningKind> kinds = warning_kinds(warnings);
  std::string heading = "Warnings";
  if (kinds.size() < warnings.size())
    heading = fmt::format("{} warnings of {} kind{}", warnings.size(), kinds.size(),
                          kinds.size() == 1 ? "" : "s");
  std::string open, closed;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    (k < most_open_kinds ? open : closed) += list_item(kinds[k]);
  if (!closed.empty()) {
    const std::size_t more = kinds.size() - most_open_kinds;
    closed = fmt::format("<details><summary>{} more kind{}</summary><ul>{}</ul></details>", more,
                         more == 1 ? "" : "s", closed);
  }
  return fmt::format(
      R"(<section id="warnings" class="warnings" role="note"><h2>{}</h2><ul>{}</ul>{}</section>)"
      "\n",
      heading, open, closed);
}

}  // namespace semblance
