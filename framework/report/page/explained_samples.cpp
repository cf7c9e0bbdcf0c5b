// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/page/html.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/sample_drawings.hpp"
#include "report/page/signed_text.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using html::escaped;

/// The most columns that are drawn; twice the examples of one side.
constexpr std::size_t most_shares = 12;

/// A number as the page writes it.
std::string shown_number(const std::string& text) {
  const auto number = number_of(text);
  return number ? minus_text(*number, 6) : escaped(text);
}

/// Whether a drawing of an example says more than its name.
bool worth_drawing(const DrawnSample& sample) {
  return sample.kind != LayoutKind::vector && sample.kind != LayoutKind::sparse &&
         sample.kind != LayoutKind::pair;
}

std::string caption(const DrawnExplanation& entry, ExplainedSamples::Of of) {
  const DrawnSample& sample = entry.sample;
  if (of == ExplainedSamples::Of::numbers)
    return fmt::format("<strong>{}</strong>: {} estimated as {}", escaped(sample.name),
                       sample.label.empty() ? "an unknown number" : shown_number(sample.label),
                       shown_number(sample.predicted));
  if (of == ExplainedSamples::Of::novelty)
    return fmt::format("<strong>{}</strong>{}, judged {}", escaped(sample.name),
                       sample.label.empty() ? "" : ": " + escaped(sample.label),
                       escaped(sample.predicted));
  std::string out = fmt::format("<strong>{}</strong>: ", escaped(sample.name));
  if (sample.label.empty()) return out + "taken for " + escaped(sample.predicted);
  if (sample.right()) return out + escaped(sample.label) + ", right";
  return out + fmt::format("{} taken for <strong>{}</strong>", escaped(sample.label),
                           escaped(sample.predicted));
}

/// The number that is explained, and the sum that it is.
std::string value_text(const DrawnExplanation& entry, ExplainedSamples::Of of) {
  const Explanation& made = entry.explanation;
  std::string out = made.against.empty() ? escaped(made.explained)
                                         : fmt::format("{} against {}", escaped(made.explained),
                                                       escaped(made.against));
  out += fmt::format(": {} {}", made.difference ? "scores differ by" : "value",
                     minus_text(made.value));
  const std::size_t examples =
      entry.shown.plus.size() + entry.shown.minus.size() + entry.shown.others;
  if (examples > 0)
    out += fmt::format(" = bias {} {} of {} example{}", minus_text(made.bias),
                       signed_text(made.value - made.bias),
                       count_text(static_cast<std::int64_t>(examples)), examples == 1 ? "" : "s");
  if (made.predicted != entry.sample.predicted && !made.predicted.empty())
    out += fmt::format(". The solver itself predicts {}; the scores judged here are calibrated",
                       escaped(made.predicted));
  if (of == ExplainedSamples::Of::novelty &&
      (made.value < 0) != (entry.sample.predicted == "novel"))
    out += ". The scores judged here are calibrated: their threshold is another one";
  return out + ".";
}

std::string bar(double part, bool plus) {
  return fmt::format(R"(<span class="bar{}"><i style="width:{:.1f}%"></i></span>)",
                     plus ? "" : " miss", 100 * part);
}

/// One side of the sum.
class Terms {
 public:
  Terms(const DrawnExplanation& entry, std::span<const ExampleTerm> terms,
        std::span<const DrawnSample> drawn)
      : entry_(entry), terms_(terms), drawn_(drawn) {}

  std::string html(const std::string& heading) const {
    if (terms_.empty()) return "";
    std::string out = fmt::format(R"(<div class="terms"><h5>{}</h5>)", heading);
    for (std::size_t k = 0; k < terms_.size(); ++k) out += one(k);
    return out + "</div>";
  }

 private:
  double largest() const {
    double most = 0;
    for (const auto* side : {&entry_.shown.plus, &entry_.shown.minus})
      for (const ExampleTerm& term : *side) most = std::max(most, std::abs(term.contribution));
    return most > 0 ? most : 1;
  }

  /// Whether the terms are of several maps.
  bool several_maps() const {
    const std::string* map = nullptr;
    for (const auto* side : {&entry_.shown.plus, &entry_.shown.minus})
      for (const ExampleTerm& term : *side) {
        if (map && *map != term.map) return true;
        map = &term.map;
      }
    return false;
  }

  std::string name(std::size_t k) const {
    const ExampleTerm& term = terms_[k];
    std::string out = !drawn_.empty() ? drawn_[k].name
                      : term.row      ? fmt::format("training sample {}", *term.row)
                                      : fmt::format("vector {}", term.basis);
    if (!term.of_class.empty()) out += ", " + term.of_class;
    out = escaped(out);
    if (several_maps()) out += fmt::format(R"( <span class="map">{}</span>)", escaped(term.map));
    return out;
  }

  /// The drawing of an example: a text below its name, others beside it.
  std::string sketch(std::size_t k, bool text) const {
    if (drawn_.empty() || !worth_drawing(drawn_[k])) return "";
    if ((drawn_[k].kind == LayoutKind::string) != text) return "";
    return R"(<div class="sketch">)" + sample_picture_html(drawn_[k]) + "</div>";
  }

  std::string one(std::size_t k) const {
    const ExampleTerm& term = terms_[k];
    const std::string beside = sketch(k, false);
    return fmt::format(
        R"(<div class="term{}">{}<div><span class="name">{}</span>{}{}<span class="sum">)"
        R"(<b>{}</b> = {} × {}</span></div></div>)",
        beside.empty() ? "" : " with-sketch", beside, name(k), sketch(k, true),
        bar(std::abs(term.contribution) / largest(), term.contribution >= 0),
        signed_text(term.contribution), minus_text(term.similarity, 3), minus_text(term.weight, 3));
  }

  const DrawnExplanation& entry_;
  std::span<const ExampleTerm> terms_;
  std::span<const DrawnSample> drawn_;
};

std::string examples(const DrawnExplanation& entry) {
  const ShownExamples& shown = entry.shown;
  if (shown.plus.empty() && shown.minus.empty()) return "";
  const std::span<const DrawnSample> drawn = entry.drawn;
  const std::size_t first = drawn.empty() ? 0 : shown.plus.size();
  const Explanation& made = entry.explanation;
  const bool classes = !made.against.empty();
  const auto heading = [&](const std::string& of_class, const char* otherwise) {
    return classes ? "examples for " + escaped(of_class) : std::string(otherwise);
  };
  std::string out = R"(<div class="both-sides">)";
  out += Terms(entry, shown.plus, drawn.first(first)).html(heading(made.explained, "raise it"));
  out += Terms(entry, shown.minus, drawn.subspan(first)).html(heading(made.against, "lower it"));
  out += "</div>";
  if (shown.others > 0)
    out += fmt::format(R"(<p class="note">{} other example{}: {}. A contribution is similarity × )"
                       "weight.</p>",
                       count_text(static_cast<std::int64_t>(shown.others)),
                       shown.others == 1 ? "" : "s", signed_text(shown.others_contribution));
  return out;
}

std::string share_bar(const PartShare& share, double largest) {
  const double part = 50 * std::abs(share.share) / largest;
  return fmt::format(
      R"(<span class="diverging"><i class="{}" style="left:{:.2f}%;width:{:.2f}%"></i></span>)",
      share.share >= 0 ? "for" : "against", share.share >= 0 ? 50.0 : 50.0 - part, part);
}

std::string share_rows(std::vector<PartShare> shares, std::size_t others, double others_sum) {
  std::ranges::stable_sort(shares, [](const PartShare& a, const PartShare& b) {
    return std::abs(a.share) > std::abs(b.share);
  });
  const double largest =
      shares.empty() || shares.front().share == 0 ? 1 : std::abs(shares.front().share);
  const std::size_t shown = std::min(shares.size(), most_shares);
  std::string out = R"(<div class="shares">)";
  for (std::size_t k = 0; k < shown; ++k) {
    const PartShare& share = shares[k];
    std::string name = escaped(share.name);
    if (share.value)
      name += fmt::format(R"( <span class="value">{}</span>)", minus_text(*share.value));
    out += fmt::format(
        R"(<div class="share-row"><span class="name">{}</span>{}<span class="number"{}>{}</span></div>)",
        name, share_bar(share, largest),
        share.error > 0
            ? fmt::format(R"( title="standard error {}")", quantity_text(share.error, 2))
            : "",
        signed_text(share.share));
  }
  for (std::size_t k = shown; k < shares.size(); ++k) others_sum += shares[k].share;
  others += shares.size() - shown;
  if (others > 0)
    out += fmt::format(
        R"(<div class="share-row rest"><span class="name">{} other{}</span><span></span>)"
        R"(<span class="number">{}</span></div>)",
        count_text(static_cast<std::int64_t>(others)), others == 1 ? "" : "s",
        signed_text(others_sum));
  return out + "</div>";
}

std::string shares(const DrawnExplanation& entry, bool coloured) {
  const Explanation& made = entry.explanation;
  if (made.method == ShareMethod::none)
    return fmt::format(R"(<p class="note">No shares of columns: {}.</p>)", escaped(made.no_shares));
  const std::string rows = share_rows(made.shares, entry.other_shares, entry.other_shares_sum);
  const std::string what = fmt::format(
      "Shapley values{}: how the value differs from the mean of {} samples, {}",
      made.method == ShareMethod::sampled ? ", sampled" : "",
      count_text(static_cast<std::int64_t>(made.background)), minus_text(made.expected));
  if (!coloured)
    return fmt::format("<h5>shares of columns</h5>{}<p class=\"note\">{}.</p>", rows, what);
  return fmt::format(
      R"(<p class="note">{}.</p><details><summary>The largest shares</summary>{}</details>)", what,
      rows);
}

std::string article(const DrawnExplanation& entry, const DrawnExplanations& list) {
  const auto [height, width] = std::pair{list.height, list.width};
  const DrawnSample& sample = entry.sample;
  const std::string coloured =
      coloured_sample_html(sample, height, width, entry.explanation.shares);
  const bool picture = sample.kind == LayoutKind::image || sample.kind == LayoutKind::grid;
  std::string drawing = coloured;
  if (picture || (coloured.empty() && worth_drawing(sample)))
    drawing = sample_picture_html(sample) + coloured;
  const bool judged = list.of == ExplainedSamples::Of::classes && !sample.label.empty();
  const char* verdict = !judged ? "" : sample.right() ? " is-right" : " is-wrong";
  return fmt::format(
      R"(<article class="explained{}"><h5 class="what">{}</h5><p class="summary">{}</p>)"
      R"(<div class="why"><div class="parts">{}{}</div><div class="sums">{}</div></div></article>)"
      "\n",
      verdict, caption(entry, list.of), value_text(entry, list.of),
      drawing.empty() ? "" : R"(<div class="pictures">)" + drawing + "</div>",
      shares(entry, !coloured.empty()), examples(entry));
}

}  // namespace

namespace {

/// What the colours say.
std::pair<const char*, const char*> meanings(ExplainedSamples::Of of) {
  switch (of) {
    case ExplainedSamples::Of::numbers:
      return {"raises the estimate", "lowers it"};
    case ExplainedSamples::Of::novelty:
      return {"raises the score (more usual)", "lowers it (more novel; below 0 is novel)"};
    case ExplainedSamples::Of::classes:
      break;
  }
  return {"speaks for the first class, the predicted one",
          "for the second, the strongest other one"};
}

}  // namespace

std::string explained_samples_html(const DrawnExplanations& list) {
  if (list.entries.empty()) return "";
  const auto [hit, miss] = meanings(list.of);
  std::string out = fmt::format(
      "<h4>{}</h4>\n"
      R"(<p class="summary"><span class="key hit"></span>{}, <span class="key miss"></span>{}; )"
      "the stronger the colour, the larger the share.</p>\n",
      words(list.name), hit, miss);
  for (const DrawnExplanation& entry : list.entries) out += article(entry, list);
  return out;
}

}  // namespace semblance
