// SPDX-License-Identifier: MIT
#include "pipeline/yaml/problems.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace semblance {
namespace {

constexpr std::size_t most_shown = 100;

}  // namespace

bool Problems::full() const noexcept { return errors_ >= most_shown; }

void Problems::error(const Place& place, std::string message, std::string help) {
  if (!full()) add(Severity::error, place, std::move(message), std::move(help));
  ++errors_;
}

void Problems::warning(const Place& place, std::string message, std::string help) {
  if (items_.size() < 2 * most_shown)
    add(Severity::warning, place, std::move(message), std::move(help));
}

void Problems::add(Severity severity, const Place& place, std::string message, std::string help) {
  Diagnostic d;
  d.severity = severity;
  d.file = place.source->name();
  d.position = place.position;
  d.length = place.length;
  d.message = std::move(message);
  d.help = std::move(help);
  d.line = place.source->line(place.position.line);
  items_.push_back({place.source->order(), std::move(d)});
}

void Problems::add(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& d : diagnostics) {
    const bool error = d.severity == Severity::error;
    // Arguments follow files.
    const std::size_t order = d.file == "--set" ? std::numeric_limits<std::size_t>::max() : 0;
    if (!full() || !error) items_.push_back({order, std::move(d)});
    errors_ += error;
  }
}

std::vector<Diagnostic> Problems::take() {
  std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    const auto key = [](const Item& item) {
      const Position& p = item.diagnostic.position;
      return std::tuple(item.order, p.line, p.column);
    };
    return key(a) < key(b);
  });
  std::vector<Diagnostic> result;
  for (auto& item : items_) result.push_back(std::move(item.diagnostic));
  if (errors_ > most_shown) {
    Diagnostic rest;
    rest.file = result.front().file;
    rest.message = "and " + std::to_string(errors_ - most_shown) + " more errors";
    result.push_back(std::move(rest));
  }
  items_.clear();
  errors_ = 0;
  return result;
}

}  // namespace semblance
