// SPDX-License-Identifier: MIT
#include "newton/working_sets.hpp"

#include <algorithm>
#include <cmath>

#include "newton/l1_quadratic.hpp"
#include "newton/newton_memory.hpp"
#include "newton/problem_keepers.hpp"

namespace semblance::linear {
namespace {

// The least number of violating columns that a working set takes in, if there are enough.
constexpr std::size_t least_entering = 64;

bool serves(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& used,
            const std::vector<std::pair<double, std::size_t>>& violating, double worst) {
  const auto has = [&](std::size_t j) {
    return std::binary_search(columns.begin(), columns.end(), j);
  };
  return std::all_of(used.begin(), used.end(), has) &&
         std::all_of(violating.begin(), violating.end(),
                     [&](const auto& v) { return -v.first < 0.1 * worst || has(v.second); });
}

}  // namespace

double violation(double w, double slope) {
  return w != 0 ? std::abs(slope + sign_of(w)) : std::max(0.0, std::abs(slope) - 1);
}

std::string note_name(const char* what, std::size_t problem) {
  return what + ("_" + std::to_string(problem));
}

WorkingSets::WorkingSets(SquaredHinge& problem, std::size_t memory, Context& context)
    : problem_(problem),
      context_(context),
      n_(problem.problems()),
      d_(problem.dimension()),
      memory_(memory),
      most_columns_(most_columns()),
      grams_(n_),
      changed_(n_) {}

/// The largest working set. Depends only on sizes, so that the bits do not depend on the memory.
std::size_t WorkingSets::most_columns() const {
  const std::size_t rows = problem_.data().rows.rows(), most = hessian_allowance(rows, d_);
  std::size_t columns = d_;
  while (columns > 2 && n_ * ActiveGram::bytes(rows, columns) > most) columns -= (columns + 7) / 8;
  return columns;
}

void WorkingSets::choose(std::size_t c, const Vectors<double>& w_of,
                         const Vectors<double>& slope_of, double worst) {
  std::vector<std::pair<double, std::size_t>> outside;  // violation and column
  std::vector<std::size_t> chosen;
  const double *w = w_of.row(c), *slope = slope_of.row(c);
  for (std::size_t j = 0; j < d_; ++j) {
    if (w[j] != 0)
      chosen.push_back(j);
    else if (const double v = violation(0, slope[j]); v > 0)
      outside.emplace_back(-v, j);
  }
  if (grams_[c] && serves(grams_[c]->columns(), chosen, outside, worst)) return;
  const std::size_t wanted = std::max(least_entering, chosen.size());
  if (chosen.size() >= most_columns_) {
    // Not all used columns fit: take those that violate their condition most.
    for (const std::size_t j : chosen) outside.emplace_back(-violation(w[j], slope[j]), j);
    chosen.clear();
  }
  const std::size_t entering = std::min({wanted, outside.size(), most_columns_ - chosen.size()});
  std::partial_sort(outside.begin(), outside.begin() + static_cast<std::ptrdiff_t>(entering),
                    outside.end());
  for (std::size_t i = 0; i < entering; ++i) chosen.push_back(outside[i].second);
  std::sort(chosen.begin(), chosen.end());
  changed_[c] = std::move(chosen);
}

std::size_t WorkingSets::steps_at_once(std::size_t live) const {
  const std::size_t rows = problem_.own().rows;
  std::size_t kept = 0, scratch = 0, widest = 0;
  for (std::size_t c = 0; c < n_; ++c) {
    const std::size_t k = changed_[c] ? changed_[c]->size()
                          : grams_[c] ? grams_[c]->columns().size()
                                      : 0;
    if (k == 0) continue;
    const bool own = keeps(c, context_);
    kept += ActiveGram::bytes(rows, own ? k : 0);
    scratch = std::max(scratch, ActiveGram::scratch_bytes(k) + (own ? l1_quadratic_bytes(k) : 0));
    widest = std::max(widest, k);
  }
  if (kept + scratch > memory_)
    throw MemoryError("working sets of up to " + std::to_string(widest) + " columns for " +
                      std::to_string(n_) + " problems take " +
                      std::to_string(((kept + scratch) >> 20) + 1) + " MiB, but " +
                      std::to_string(memory_ >> 20) +
                      " MiB are left; raise --memory, or lower C, which uses fewer columns");
  return std::clamp<std::size_t>((memory_ - kept) / std::max<std::size_t>(scratch, 1), 1,
                                 std::max<std::size_t>(live, 1));
}

ActiveGram& WorkingSets::current(std::size_t c) {
  if (changed_[c]) {
    grams_[c].reset();  // first, so that both never exist at once
    grams_[c].emplace(problem_.data().rows, problem_.data().bias, problem_.row_weights(),
                      std::move(*changed_[c]), keeper_of(c, context_));
    changed_[c].reset();
  }
  return *grams_[c];
}

bool WorkingSets::update_together(const std::vector<std::size_t>& problems) {
  std::vector<ActiveGram*> grams;
  std::vector<std::vector<std::size_t>> active;
  for (const std::size_t c : problems) {
    grams.push_back(&current(c));
    active.push_back(problem_.active_rows(c));
  }
  return linear::update_together(grams, std::move(active), context_);
}

std::size_t WorkingSets::widest() const noexcept {
  std::size_t columns = 0;
  for (const auto& gram : grams_)
    if (gram) columns = std::max(columns, gram->columns().size());
  return columns;
}

void WorkingSets::note(Notes& notes) const {
  for (std::size_t c = 0; c < n_; ++c) {
    notes.integer(note_name("has_gram", c), grams_[c] ? 1 : 0);
    if (!grams_[c]) continue;
    notes.indices(note_name("columns", c), grams_[c]->columns());
    grams_[c]->note(note_name("gram", c), notes);
  }
}

void WorkingSets::go_on(const NotesReader& kept) {
  for (std::size_t c = 0; c < n_; ++c) {
    changed_[c].reset();
    grams_[c].reset();
    if (kept.integer(note_name("has_gram", c)) == 0) continue;
    changed_[c] = kept.indices(note_name("columns", c), d_);
    current(c).go_on(note_name("gram", c), kept, problem_.own(), keeps(c, context_));
  }
}

std::size_t WorkingSets::bytes() const {
  std::size_t bytes = 0;
  for (std::size_t c = 0; c < n_; ++c)
    if (grams_[c])
      bytes += ActiveGram::bytes(problem_.own().rows,
                                 keeps(c, context_) ? grams_[c]->columns().size() : 0);
  return bytes;
}

std::size_t WorkingSets::bytes_of_notes() const {
  std::size_t values = 0;
  for (const auto& gram : grams_) {
    if (!gram) continue;
    const std::size_t k = gram->columns().size();
    values += k * (k + 1) / 2 + problem_.data().rows.rows();
  }
  return values * sizeof(double);
}

}  // namespace semblance::linear
