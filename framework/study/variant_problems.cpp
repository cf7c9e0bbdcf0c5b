// SPDX-License-Identifier: MIT
#include "study/variant_problems.hpp"

#include <algorithm>

#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

constexpr std::size_t most_errors = 100;

}  // namespace

void VariantProblems::add(const std::vector<Diagnostic>& diagnostics, const std::string& variant) {
  ++variants_;
  for (const Diagnostic& d : diagnostics) {
    const auto [place, fresh] = seen_.emplace(
        std::tuple(d.file, d.position.line, d.position.column, d.message), items_.size());
    if (fresh) items_.push_back({d, variant, 0});
    ++items_[place->second].count;
    errors_ += fresh && d.severity == Severity::error;
  }
}

bool VariantProblems::enough() const { return errors_ >= most_errors; }

std::vector<Diagnostic> VariantProblems::take() {
  std::vector<Diagnostic> result;
  for (Item& item : items_) {
    if (item.count < variants_)
      item.diagnostic.message += " (in " + std::to_string(item.count) + " of " +
                                 std::to_string(variants_) + " variants, first " +
                                 quote(item.variant) + ")";
    result.push_back(std::move(item.diagnostic));
  }
  std::ranges::stable_sort(result, {}, [](const Diagnostic& d) {
    return std::tuple(d.file == "--set", d.position.line, d.position.column);
  });
  return result;
}

}  // namespace semblance
