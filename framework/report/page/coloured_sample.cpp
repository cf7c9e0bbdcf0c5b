// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/signed_text.hpp"
#include "report/reduced_sample.hpp"

namespace semblance {
namespace {

using html::escaped;

double largest_share(std::span<const PartShare> shares) {
  double largest = 0;
  for (const PartShare& part : shares) largest = std::max(largest, std::abs(part.share));
  return largest > 0 ? largest : 1;
}

const char* side_of(const PartShare& part) { return part.share >= 0 ? "for" : "against"; }

std::string title_of(const PartShare& part) {
  return escaped(part.name + ": " + signed_text(part.share));
}

/// A series of `size` steps, of which some are drawn.
class ColouredLine {
 public:
  ColouredLine(const DrawnSample& sample, std::span<const PartShare> shares)
      : sample_(sample), shares_(shares), drawn_(sample.values.size() / sample.depth) {
    const auto [low, high] = std::ranges::minmax(sample.values);
    low_ = low;
    high_ = high > low ? high : low + 1;
  }

  std::string html() const {
    std::string out = fmt::format(
        R"(<svg class="drawing coloured" viewBox="0 0 {} {}" role="img" aria-label="{}">)", width,
        height, escaped(sample_.name));
    const double most = largest_share(shares_);
    for (const PartShare& part : shares_) {
      const double from = edge(part.first), to = edge(part.first + part.count);
      out += fmt::format(R"(<g class="{}" style="--a:{:.3g}"><title>{}</title>)", side_of(part),
                         std::abs(part.share) / most, title_of(part));
      out += fmt::format(R"(<rect x="{:.5g}" y="0" width="{:.4g}" height="{}"/>)", from, to - from,
                         height);
      const auto [first, last] = drawn_steps(part);
      for (std::size_t channel = 0; channel < sample_.depth && first < last; ++channel)
        out += line(channel, first, last, "share");
      out += "</g>";
    }
    for (std::size_t channel = 0; channel < sample_.depth; ++channel)
      out += line(channel, 0, drawn_ - 1, "through");
    return out + "</svg>";
  }

 private:
  static constexpr double width = 480, height = 120, margin = 6;

  /// The step of the series that is drawn as number s (keep_steps).
  std::size_t step(std::size_t s) const {
    return drawn_ > 1 ? s * (sample_.size - 1) / (drawn_ - 1) : 0;
  }

  double across(double step) const {
    const double last = static_cast<double>(std::max<std::size_t>(sample_.size, 2) - 1);
    return margin + step / last * (width - 2 * margin);
  }

  /// Midway between a step and the one before it.
  double edge(std::size_t step) const {
    if (step == 0) return 0;
    return step >= sample_.size ? width : across(static_cast<double>(step) - 0.5);
  }

  /// The first and last drawn step of a part, and one more on its right, so that lines meet.
  std::pair<std::size_t, std::size_t> drawn_steps(const PartShare& part) const {
    std::size_t first = 0;
    while (first + 1 < drawn_ && step(first) < part.first) ++first;
    std::size_t last = first;
    while (last + 1 < drawn_ && step(last) < part.first + part.count) ++last;
    return {first, last};
  }

  std::string line(std::size_t channel, std::size_t first, std::size_t last,
                   const char* of_class) const {
    std::string out = fmt::format(R"(<polyline class="{}" points=")", of_class);
    for (std::size_t s = first; s <= last; ++s) {
      const double value = sample_.values[s * sample_.depth + channel];
      out += fmt::format("{}{:.5g},{:.4g}", s == first ? "" : " ",
                         across(static_cast<double>(step(s))),
                         height - margin - (value - low_) / (high_ - low_) * (height - 2 * margin));
    }
    return out + "\"/>";
  }

  const DrawnSample& sample_;
  std::span<const PartShare> shares_;
  std::size_t drawn_;
  double low_ = 0, high_ = 1;
};

std::string coloured_letters(const DrawnSample& sample, std::span<const PartShare> shares) {
  const std::vector<std::string> symbols = symbols_of({.alphabet = sample.text});
  const double most = largest_share(shares);
  std::string out = R"(<code class="coloured">)";
  for (const PartShare& part : shares) {
    std::string letters;
    for (std::size_t k = part.first; k < std::min(part.first + part.count, symbols.size()); ++k)
      letters += symbols[k];
    if (letters.empty()) break;
    out += fmt::format(R"(<span class="{}" style="--a:{:.3g}" title="{}">{}</span>)", side_of(part),
                       std::abs(part.share) / most, title_of(part), escaped(letters));
  }
  return out + (sample.size > symbols.size() ? " …</code>" : "</code>");
}

/// Where cells of a grid of cells begin along one side, then its length.
class Bounds {
 public:
  Bounds(std::vector<std::size_t> begins, std::size_t length) : begins_(std::move(begins)) {
    begins_.push_back(length);
    std::ranges::sort(begins_);
    const auto again = std::ranges::unique(begins_);
    begins_.erase(again.begin(), again.end());
  }
  /// The end of the cell that begins there.
  std::size_t end(std::size_t begin) const {
    const auto next = std::ranges::upper_bound(begins_, begin);
    return next == begins_.end() ? begins_.back() : *next;
  }

 private:
  std::vector<std::size_t> begins_;
};

std::string heat_map(const DrawnSample& sample, std::size_t height, std::size_t width,
                     std::span<const PartShare> shares) {
  std::vector<std::size_t> rows, columns;
  for (const PartShare& part : shares) {
    rows.push_back(part.first / width);
    columns.push_back(part.first % width);
  }
  const Bounds below(std::move(rows), height), right(std::move(columns), width);
  const std::size_t side = reduced_by(height, width);
  const auto whole = [side](std::size_t length) { return (length + side - 1) / side * side; };
  std::string out = fmt::format(
      R"(<svg class="drawing coloured heated" viewBox="0 0 {} {}" role="img" aria-label="{}">)"
      R"(<image class="cells" width="{}" height="{}" preserveAspectRatio="none" )"
      R"(href="data:image/png;base64,{}"/>)",
      width, height, escaped(sample.name), whole(width), whole(height), escaped(sample.text));
  const double most = largest_share(shares);
  for (const PartShare& part : shares) {
    const std::size_t x = part.first % width, y = part.first / width;
    out +=
        fmt::format(R"(<rect class="{}" style="--a:{:.3g}" x="{}" y="{}" width="{}" height="{}">)"
                    "<title>{}</title></rect>",
                    side_of(part), std::abs(part.share) / most, x, y, right.end(x) - x,
                    below.end(y) - y, title_of(part));
  }
  return out + "</svg>";
}

}  // namespace

std::string coloured_sample_html(const DrawnSample& sample, std::size_t height, std::size_t width,
                                 std::span<const PartShare> shares) {
  if (shares.empty()) return "";
  if (sample.kind == LayoutKind::string) return coloured_letters(sample, shares);
  if (sample.kind == LayoutKind::sequence && !sample.values.empty())
    return ColouredLine(sample, shares).html();
  const bool picture = sample.kind == LayoutKind::image || sample.kind == LayoutKind::grid;
  return picture && width > 0 ? heat_map(sample, height, width, shares) : "";
}

}  // namespace semblance
