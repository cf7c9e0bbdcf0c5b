// SPDX-License-Identifier: MIT
// The shares of columns and other parts of samples in what a machine gives.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "runtime/explain/explainer.hpp"
#include "runtime/explain/shares.hpp"

namespace semblance {
namespace {

/// How far a sum of shares may be from the value that they share: float32 similarities may be off
/// by 1e-4, shares are computed in double.
constexpr double most_share_rounding = 2e-4;

/// Pairs of random orders.
constexpr std::size_t least_orders = 100;

/// A product over more columns can take minutes per sample.
constexpr std::size_t most_product_columns = 4096;

}  // namespace

/// Empty: the shares of columns can be computed exactly.
std::string Explainer::why_not_exact() const {
  if (!no_sum_.empty()) return no_sum_;
  for (const SummedTerms& part : sum_.parts) {
    for (const std::size_t node : part.compared) {
      const LayoutKind kind = progress_.facts(node).output.kind;
      if (!keeps_columns(progress_, node) ||
          (kind != LayoutKind::vector && kind != LayoutKind::sparse))
        return "it does not compare columns of the source";
    }
    if (part.compared != sum_.parts.front().compared)
      return "its similarities compare rows of different nodes";
    if (!part.similarity) continue;
    if (std::string why = why_no_exact_shares(*part.similarity); !why.empty()) return why;
    const bool product = part.similarity->parts_make() == PartsMake::product;
    if (product && progress_.facts(part.compared.front()).output.size() > most_product_columns)
      return "its samples have too many columns for exact shares";
  }
  return "";
}

void Explainer::add_columns(const SummedTerms& part, MatrixView compared,
                            std::span<const double> shares, std::vector<Explanation>& made) const {
  std::size_t at = 0;
  for (const std::size_t node : part.compared) {
    const NodeFacts& facts = progress_.facts(node);
    const std::size_t size = facts.output.size();
    const auto& names = outline().columns;
    const bool some = !part.columns.empty();
    for (std::size_t place = 0; place < (some ? part.columns.size() : size); ++place, ++at)
      for (std::size_t i = 0; i < made.size(); ++i) {
        const std::size_t k = some ? part.columns[place] : place;
        PartShare share{names.size() == size ? names[k] : "column " + std::to_string(k), k, 1};
        // The user knows the source's values.
        const bool own = !rows_.ragged() && rows_.cols == size;
        share.value = own ? rows_.row(i)[k] : compared.row(i)[at];
        share.share = shares[i * compared.cols + at];
        made[i].shares.push_back(std::move(share));
      }
  }
}

/// The columns of a node's sparse rows that have shares. Elsewhere a sum's parts are the same for
/// all rows; a basis's values there are factors of a product.
std::vector<std::size_t> Explainer::compared_columns(std::size_t node) const {
  const bool product = std::ranges::any_of(sum_.parts, [](const SummedTerms& part) {
    return part.similarity && part.similarity->parts_make() == PartsMake::product;
  });
  if (!product) return values_.columns_with_values(node, {rows_, background_});
  std::vector<std::size_t> all(progress_.facts(node).output.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void Explainer::add_exact(std::span<const Question> questions,
                          std::vector<Explanation>& made) const {
  SummedTerms first = sum_.parts.front();
  const std::size_t node = first.compared.front();
  if (progress_.facts(node).output.kind == LayoutKind::sparse && first.columns.empty())
    first.columns = compared_columns(node);
  const FloatMatrix own = values_.of_nodes(first.compared, rows_, first.columns),
                    others = values_.of_nodes(first.compared, background_, first.columns);
  std::vector<double> shares(own.rows * own.cols);
  NodeContext context = values_.context();
  for (const SummedTerms& part : sum_.parts) {
    const auto weights = [&](std::size_t row, std::size_t basis) {
      return weight(questions[row], part.first + basis);
    };
    if (part.similarity) {
      add_exact_shares(
          *part.similarity, weights,
          {own.view(), others.view(), first.columns, progress_.facts(node).output.size()}, shares,
          context);
      continue;
    }
    for (std::size_t k = 0; k < own.cols; ++k) {
      double mean = 0;
      for (std::size_t r = 0; r < others.rows; ++r)
        mean += double{others.view().row(r)[k]} / static_cast<double>(others.rows);
      for (std::size_t i = 0; i < own.rows; ++i)
        shares[i * own.cols + k] += weights(i, k) * (double{own.view().row(i)[k]} - mean);
    }
  }
  add_columns(first, own.view(), shares, made);
}

/// The shares must add up to the difference between the row's value and the background's mean.
void Explainer::check_sum_of_shares(MatrixView terms, std::span<const double> mean_terms,
                                    std::span<const Question> questions,
                                    std::span<const Explanation> made) const {
  for (std::size_t i = 0; i < made.size(); ++i) {
    double sum = 0, scale = 0;
    for (const PartShare& share : made[i].shares) sum += share.share;
    for (std::size_t t = 0; t < sum_.terms; ++t)
      scale += std::abs(weight(questions[i], t)) *
               std::max(std::abs(double{terms.row(i)[t]}), std::abs(mean_terms[t]));
    const double expected = made[i].value - made[i].expected;
    if (!(std::abs(sum - expected) <= most_share_rounding * scale))
      throw Error("the shares of the columns add up to " + std::to_string(sum) +
                  ", but the value differs from the background's mean by " +
                  std::to_string(expected) + "; they are not shown, as they do not explain it");
  }
}

void Explainer::add_sampled(std::span<const Question> questions,
                            std::vector<Explanation>& made) const {
  const MatrixView rows = rows_, background = background_;
  const Layout& layout = progress_.facts(progress_.facts(machine_).spec->origin).output;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto row = rows.row_span(i);
    const SampleParts parts = parts_of(layout, row.size(), outline().columns);
    std::vector<std::vector<float>> others;
    for (std::size_t r = 0; r < background.rows; ++r)
      others.push_back(stretched(layout, background.row_span(r), row.size()));
    const std::size_t steps = parts.size() + 1;
    const auto values = [&](std::span<const Joining> joining) {
      const std::vector<std::size_t> sizes(joining.size() * steps, row.size());
      FloatMatrix made_up = layout.ragged() ? FloatMatrix::ragged(row.size(), sizes)
                                            : FloatMatrix(sizes.size(), row.size());
      for (std::size_t j = 0; j < joining.size(); ++j) {
        std::vector<float> now = others[joining[j].background];
        for (std::size_t s = 0; s < steps; ++s) {
          if (s > 0)
            for (std::size_t k = 0; k < row.size(); ++k)
              if (parts.part_of[k] == joining[j].order[s - 1]) now[k] = row[k];
          std::ranges::copy(now, made_up.view().row(j * steps + s));
        }
      }
      const std::vector<double> functions = values_.functions(sum_, std::as_const(made_up).view());
      std::vector<std::vector<double>> found(joining.size(), std::vector<double>(steps));
      for (std::size_t r = 0; r < sizes.size(); ++r)
        found[r / steps][r % steps] =
            questions[i].of(std::span(functions).subspan(r * sum_.functions(), sum_.functions()));
      return found;
    };
    const SampledShares found =
        sampled_shares(parts.size(), background.rows, least_orders, options_.seed, values);
    made[i].method = ShareMethod::sampled;
    made[i].expected = found.expected;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      check_finite(found.shares[p]);
      PartShare share{parts.names[p], parts.first[p], parts.count[p]};
      if (layout.kind == LayoutKind::vector) share.value = row[p];
      share.share = found.shares[p];
      share.error = found.errors[p];
      made[i].shares.push_back(std::move(share));
    }
  }
}

}  // namespace semblance
