// SPDX-License-Identifier: MIT
#include "semblance/learns_from_samples.hpp"

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/similarity.hpp"

namespace semblance {
namespace {

/// The sum of term(x) over the values of a row other than 0. The order of summation depends on
/// their columns alone, so that sparse rows have the bits of dense ones.
template <class Term>
double sum_of(MatrixView row, const Term& term) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const auto values = row.row_span(0);
  const auto of = [&](float x) { return x == 0 ? 0 : term(double{x}); };
  if (row.sparse()) {
    const auto columns = row.columns_of(0);
    for (std::size_t k = 0; k < values.size(); ++k) sums[columns[k] % lanes] += of(values[k]);
  } else {
    std::size_t k = 0;
    for (; k + lanes <= values.size(); k += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += of(values[k + lane]);
    for (; k < values.size(); ++k) sums[k % lanes] += of(values[k]);
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// The sum of each figure of all counted rows, part by part in a fixed order.
template <std::size_t figures, class Of>
std::array<double, figures> sums_of(const Rows& rows, std::span<const char> counts,
                                    Collectives& ranks, Context& context, const Of& of_row) {
  const RowParts parts(rows.rows());
  const OwnParts own = ranks.own(parts);
  std::vector<double> sums(own.count * figures);
  context.parallel_for(own.count, [&](std::size_t at) {
    const std::size_t part = own.first + at;
    for (std::size_t row = parts.first_row(part); row < parts.first_row(part + 1); ++row) {
      if (!counts[row]) continue;
      const std::array<double, figures> found = of_row(rows.view(row, 1));
      for (std::size_t f = 0; f < figures; ++f) sums[at * figures + f] += found[f];
    }
  });
  std::array<double, figures> total{};
  const std::vector<double> all = ranks.gather(sums);
  for (std::size_t i = 0; i < all.size(); ++i) total[i % figures] += all[i];
  return total;
}

double variance(const Rows& rows, std::span<const std::uint32_t> chosen, Collectives& ranks,
                Context& context) {
  std::vector<char> counts(rows.rows(), chosen.empty());
  for (const std::uint32_t row : chosen) counts[row] = 1;
  // The sum of the values, how many are not 0, and how many there are.
  const auto [sum, others, count] = sums_of<3>(rows, counts, ranks, context, [](MatrixView row) {
    return std::array{sum_of(row, [](double x) { return x; }),
                      sum_of(row, [](double) { return 1.0; }),
                      static_cast<double>(row.sparse() ? row.cols : row.size(0))};
  });
  if (!(count > 0)) return 0;
  const double mean = sum / count;
  const auto [squares] = sums_of<1>(rows, counts, ranks, context, [mean](MatrixView row) {
    return std::array{sum_of(row, [mean](double x) { return (x - mean) * (x - mean); })};
  });
  return (squares + (count - others) * mean * mean) / count;
}

}  // namespace

LearnsFromSamples::~LearnsFromSamples() = default;

void learn_from_samples(Similarity& similarity, const Rows& rows,
                        std::span<const std::uint32_t> chosen, Context& context) {
  if (auto* learner = dynamic_cast<LearnsFromSamples*>(&similarity))
    learner->learn_from_samples(rows, chosen, context);
}

bool needs_all_bases(const Similarity& similarity) noexcept {
  const auto* learner = dynamic_cast<const LearnsFromSamples*>(&similarity);
  return similarity.learns_from_bases() && !(learner && learner->samples_suffice());
}

double variance_of_values(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) {
  return variance(rows, chosen, context.collectives(), context);
}

double variance_of_values(MatrixView rows, Context& context) {
  return variance(MatrixRows(rows), {}, only_rank(), context);
}

}  // namespace semblance
