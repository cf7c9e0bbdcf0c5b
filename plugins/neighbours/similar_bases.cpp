// SPDX-License-Identifier: MIT
#include "similar_bases.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/row_error.hpp"
#include "training_checks.hpp"

namespace semblance::neighbours {
namespace {

const char* const all_rows_wanted =
    "connect it to one similarity directly, whose bases are training rows (basis/all)";

}  // namespace

SimilarBases::SimilarBases(std::vector<std::int64_t> rows, std::vector<double> weights)
    : rows_(std::move(rows)), weights_(std::move(weights)) {
  places_.reserve(rows_.size());
  for (std::size_t j = 0; j < rows_.size(); ++j) places_.emplace_back(rows_[j], j);
  std::ranges::sort(places_);
}

std::size_t SimilarBases::base_of(std::int64_t row) const noexcept {
  const auto found =
      std::ranges::lower_bound(places_, row, {}, &std::pair<std::int64_t, std::size_t>::first);
  return found != places_.end() && found->first == row ? found->second : none;
}

void SimilarBases::add(std::span<const float> similarities, std::size_t basis, std::size_t most,
                       std::vector<std::size_t>& nearest) const {
  const auto nearer_base = [&](std::size_t a, std::size_t b) { return nearer(similarities, a, b); };
  if (nearest.size() == most) {
    if (!nearer_base(basis, nearest.front())) return;
    std::ranges::pop_heap(nearest, nearer_base);
    nearest.back() = basis;
  } else {
    nearest.push_back(basis);
  }
  std::ranges::push_heap(nearest, nearer_base);
}

void SimilarBases::sort(std::span<const float> similarities,
                        std::vector<std::size_t>& nearest) const {
  std::ranges::sort(nearest,
                    [&](std::size_t a, std::size_t b) { return nearer(similarities, a, b); });
}

void check_training_bases(const TrainingSet& training, std::size_t columns,
                          std::span<const double> weights, std::size_t neighbours) {
  const std::size_t rows = training.rows.rows();
  if (training.bases.empty())
    throw Error(std::string("its rows are not similarities to training rows; ") + all_rows_wanted);
  if (training.bases.size() != columns)
    throw Error(std::to_string(training.bases.size()) + " bases for " + std::to_string(columns) +
                " columns; " + all_rows_wanted);
  std::size_t voters = 0;
  for (const std::int64_t base : training.bases) {
    if (base < 0 || static_cast<std::size_t>(base) >= rows)
      throw Error("the basis " + std::to_string(base) + " is not one of the " +
                  std::to_string(rows) + " training rows; " + all_rows_wanted);
    if (weights.empty() || weights[static_cast<std::size_t>(base)] != 0) ++voters;
  }
  if (neighbours > voters)
    throw Error(std::to_string(neighbours) + " neighbours (k) cannot be found among " +
                std::to_string(voters) + " bases" +
                (voters < columns ? " whose weight is not 0" : "") + "; lower k or use more bases");
}

void check_similarities(std::span<const float> row, std::size_t i) {
  if (common::all_finite(row)) return;
  const auto bad = std::ranges::find_if(row, [](float x) { return !std::isfinite(x); });
  throw RowError(RowError::Of::block, i, "the similarity of ",
                 " to basis " + std::to_string(bad - row.begin()) + " (both counted from 0) is " +
                     (std::isnan(*bad) ? "NaN" : "infinite") +
                     "; scale the samples or change the measure's parameters");
}

std::size_t basis_to_leave_out(const SimilarBases& bases, std::int64_t row) {
  const std::size_t basis = bases.base_of(row);
  if (basis == SimilarBases::none)
    throw RowError(RowError::Of::training, static_cast<std::size_t>(row), "",
                   " (counted from 0) is not among the bases; use basis/all");
  return basis;
}

Formula::Value write_places(Formula& formula, const SimilarBases& bases) {
  std::vector<double> places;
  for (const std::int64_t row : bases.rows()) places.push_back(-static_cast<double>(row));
  return formula.constant(places);
}

std::vector<WrittenNeighbour> write_nearest(Formula& formula, Formula::Value similarities,
                                            const SimilarBases& bases, std::size_t k) {
  if (!bases.weights().empty())
    throw Error("training rows with weights cannot be written as a formula");
  constexpr double taken = std::numeric_limits<double>::lowest();  // below all similarities
  const Formula::Value places = write_places(formula, bases);
  const auto number = [&](double value) { return formula.number(value, places); };
  std::vector<WrittenNeighbour> found;
  Formula::Value left = similarities;
  while (found.size() < k) {
    const Formula::Value largest = formula.largest(left);
    const Formula::Value tied = formula.where_greater(largest, left, number(taken), places);
    const Formula::Value chosen =
        formula.where_greater(formula.largest(tied), tied, number(0), number(1));
    found.push_back({largest, chosen});
    if (found.size() < k) left = formula.where_greater(chosen, number(0), number(taken), left);
  }
  return found;
}

}  // namespace semblance::neighbours
