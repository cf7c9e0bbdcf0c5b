// SPDX-License-Identifier: MIT
#include "export/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/stages/node_row_sizes.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "semblance/predicted_class.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

/// Dense rows, including the zeros of sparse ones.
FloatMatrix laid_out(const FloatMatrix& rows, std::size_t cols) {
  if (!rows.is_sparse) return rows;
  FloatMatrix dense(rows.rows, cols);
  const MatrixView from = rows.view();
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t k = 0; k < from.size(i); ++k)
      dense.view().row(i)[from.columns_of(i)[k]] = from.row(i)[k];
  return dense;
}

/// A row that differs; the worst of these is known once all scores are.
struct Suspect {
  std::size_t row = 0;
  std::vector<float> values;
  std::vector<float> own, exported;
  std::int32_t exported_class = 0;
  double difference = 0;
};

double largest_difference(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double difference = std::abs(double{a[c]} - double{b[c]});
    // NaN counts as well.
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

class ScoreComparison {
 public:
  ScoreComparison(const ExportedMachine& machine, double tolerance)
      : machine_(machine), tolerance_(tolerance) {}

  void add(std::size_t first, MatrixView rows, MatrixView own, const ExportedScores& exported) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const auto mine = own.row_span(i), theirs = exported.scores.view().row_span(i);
      for (const float score : mine) proof_.scale = std::max(proof_.scale, std::abs(double{score}));
      const double difference = largest_difference(mine, theirs);
      const bool same = classifies() ? exported.classes[i] == predicted_class(mine)
                                     : exported.classes[i] >= 0 && decide_alike(mine, theirs);
      // A difference that is small relative to the scores so far stays small.
      if (same && difference <= tolerance_ * proof_.scale) {
        proof_.difference = std::max(proof_.difference, difference);
        continue;
      }
      suspects_.push_back({first + i,
                           {rows.row(i), rows.row(i) + rows.cols},
                           {mine.begin(), mine.end()},
                           {theirs.begin(), theirs.end()},
                           exported.classes[i],
                           difference});
      if (suspects_.size() > most_suspects) settle();
    }
    proof_.rows += rows.rows;
  }

  Proof finish() {
    settle();
    proof_.tolerance = tolerance_;
    proof_.compared = classifies() ? "classes" : detects() ? "decisions" : "";
    return proof_;
  }

 private:
  bool classifies() const { return machine_.gives == PortType::scores; }
  bool detects() const { return machine_.gives == PortType::novelty; }
  /// Whether two scores of a detector, if it is one, say the same: negative is novel.
  bool decide_alike(std::span<const float> a, std::span<const float> b) const {
    return !detects() || (a[0] < 0) == (b[0] < 0);
  }

  static constexpr std::size_t most_suspects = 1000;

  /// Throws Error unless all suspects can be explained.
  void settle() {
    const Suspect* worst = nullptr;
    for (const Suspect& suspect : suspects_)
      if (!explained(suspect) && (!worst || !(suspect.difference <= worst->difference)))
        worst = &suspect;
    if (worst) refuse(*worst);
    suspects_.clear();
  }

  bool explained(const Suspect& s) {
    const double allowed = tolerance_ * proof_.scale;
    if (!classifies()) {
      const bool close = s.exported_class >= 0 && std::isfinite(s.difference) &&
                         (s.difference <= allowed ||
                          explained_by_rounding(machine_.formula, machine_.scores, s.values, s.own,
                                                s.exported, allowed, tolerance_));
      if (close && !decide_alike(s.own, s.exported)) ++proof_.ties;
      return close;
    }
    const auto ours = static_cast<std::size_t>(predicted_class(s.own));
    const bool close = s.difference <= allowed;
    if (close && s.exported_class == static_cast<std::int32_t>(ours)) {
      proof_.difference = std::max(proof_.difference, s.difference);
      return true;
    }
    if (s.exported_class < 0 || !std::isfinite(s.difference)) return false;
    const auto theirs = static_cast<std::size_t>(s.exported_class);
    const bool tie = close && double{s.own[ours]} - double{s.own[theirs]} <= 2 * allowed;
    if (!tie && !explained_by_rounding(machine_.formula, machine_.scores, s.values, s.own,
                                       s.exported, allowed, tolerance_))
      return false;
    ++proof_.ties;
    return true;
  }

  [[noreturn]] void refuse(const Suspect& s) const {
    if (!classifies())
      throw Error(fmt::format(
          "the exported form differs from the model: for row {} (counted from 0) {}, where {:.3g} "
          "is "
          "allowed ({:g} of the largest value, {:.6g}). Nothing was written. Where the values are "
          "sums of large terms that cancel each other, float32 allows no better: scale the "
          "samples, "
          "lower C, or allow more with --tolerance",
          s.row,
          s.exported_class < 0 ? "it gives no value"
                               : fmt::format("a value differs by {:.3g}", s.difference),
          tolerance_ * proof_.scale, tolerance_, proof_.scale));
    const auto ours = static_cast<std::size_t>(predicted_class(s.own));
    const auto class_name = [&](std::int32_t c) {
      return c < 0 ? std::string("none")
                   : "'" + machine_.outputs[static_cast<std::size_t>(c)] + "'";
    };
    throw Error(fmt::format(
        "the exported form differs from the model: for row {} (counted from 0) it says {} and the "
        "model {}, and a score differs by {:.3g}, where {:.3g} is allowed ({:g} of the largest "
        "score, {:.6g}). Nothing was written. Where the scores are sums of large terms that cancel "
        "each other, float32 allows no better: scale the samples, lower C, or allow more with "
        "--tolerance",
        s.row, class_name(s.exported_class), class_name(static_cast<std::int32_t>(ours)),
        s.difference, tolerance_ * proof_.scale, tolerance_, proof_.scale));
  }

  const ExportedMachine& machine_;
  double tolerance_;
  Proof proof_;
  std::vector<Suspect> suspects_;
};

}  // namespace

Proof prove(RunProgress& progress, RunData& data, const ExportedMachine& machine,
            std::size_t target, std::size_t from, const ExportedForm& form, double tolerance) {
  const Outline own = data.dataset(target).outline();
  const RowSpan span =
      own.test_rows > 0 ? RowSpan{own.train_rows, own.test_rows} : RowSpan{0, own.train_rows};
  if (span.count == 0)
    throw Error("there are no rows to prove the export with; name some with --rows DATA");
  const Pull inputs(progress, data, from), scores(progress, data, target);
  const RowSizes sizes = row_sizes(progress, data, from);
  // Enough for one start of a program, and at most 64 MiB of wide rows.
  constexpr std::size_t most_values = std::size_t{1} << 24;
  const std::size_t step = std::clamp<std::size_t>(most_values / machine.inputs, 1, 4096);
  ScoreComparison comparison(machine, tolerance);
  for (std::size_t first = 0; first < span.count; first += step) {
    if (progress.stopping()) throw Cancelled();
    const std::size_t count = std::min(step, span.count - first);
    FloatMatrix rows = sizes.rows(span.first + first, count);
    inputs.rows(span.first + first, rows.view());
    FloatMatrix expected(count, machine.outputs.size());
    scores.rows(span.first + first, expected.view());
    const FloatMatrix dense = laid_out(rows, machine.inputs);
    comparison.add(first, dense.view(), std::as_const(expected).view(), form(dense.view()));
  }
  return comparison.finish();
}

std::string proof_text(const Proof& proof) {
  std::string text = fmt::format(
      "{} row{}{}", count_text(static_cast<std::int64_t>(proof.rows)), proof.rows == 1 ? "" : "s",
      *proof.compared ? fmt::format(", the same {}", proof.compared) : "");
  if (proof.ties > 0)
    text += fmt::format(" (but for {} that rounding decides)",
                        count_text(static_cast<std::int64_t>(proof.ties)));
  const double part = proof.scale > 0 ? proof.difference / proof.scale : 0;
  return text + fmt::format(", {} differ by {:.1e} of the largest at most ({:g} allowed)",
                            *proof.compared ? "scores" : "values", part, proof.tolerance);
}

}  // namespace semblance
