// SPDX-License-Identifier: MIT
#include "working_set.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::numerics {
namespace {

// The most violating pair always enters: at most two members are prevented from leaving.
constexpr std::size_t smallest_set = 4;

}  // namespace

WorkingSet::WorkingSet(const DualProblem& problem, const DualOptions& options, Context& context)
    : p_(problem),
      options_(options),
      context_(context),
      rows_(problem),
      inside_(problem.size()),
      members_(std::min(std::max(options.working_set, smallest_set), problem.size())),
      held_(holds_all() || problem.direct ? 0 : std::min(*options.held_rows, members_.size()),
            rows_.columns()),
      subproblem_(members_.size()) {}

void WorkingSet::enter(std::span<const std::size_t> slots, std::span<const std::uint32_t> variables,
                       std::size_t round) {
  for (std::size_t k = 0; k < slots.size(); ++k) {
    Member& member = members_[slots[k]];
    if (member.variable != empty) inside_[member.variable] = 0;
    member = {variables[k], round, false, {}};
    inside_[variables[k]] = 1;
  }
  std::vector<std::size_t> present;
  for (std::size_t s = 0; s < members_.size(); ++s)
    if (members_[s].variable != empty) present.push_back(s);
  if (p_.direct)
    compute(slots, present);
  else if (!holds_all() && *options_.held_rows == 0 && rows_.computes_some())
    compute_some(slots, present);
  else
    read(slots, present);
  mirror(slots, present);
  for (const std::size_t slot : slots)
    largest_value_ = std::max(largest_value_, std::abs(double{subproblem_.kernel(slot)[slot]}));
}

void WorkingSet::restore(std::span<const std::int64_t> variables) {
  std::vector<std::size_t> slots;
  std::vector<std::uint32_t> entering;
  for (std::size_t s = 0; s < variables.size(); ++s) {
    if (variables[s] < 0) continue;
    slots.push_back(s);
    entering.push_back(static_cast<std::uint32_t>(variables[s]));
  }
  if (!slots.empty()) enter(slots, entering, 0);
}

/// Calls body(k, row) with the kernel row of the member in slots[k], for every k in order; fetches
/// rows that are not held.
template <class Body>
void WorkingSet::for_rows(std::span<const std::size_t> slots, const Body& body) {
  const std::size_t at_once =
      holds_all() ? slots.size() : std::max<std::size_t>(options_.fetched_rows, 1);
  for (std::size_t first = 0; first < slots.size(); first += at_once) {
    const std::size_t end = std::min(slots.size(), first + at_once);
    std::vector<std::uint32_t> wanted;
    for (std::size_t k = first; k < end; ++k)
      if (const Member& m = members_[slots[k]]; !m.held) wanted.push_back(m.variable);
    std::vector<KernelRows::Row> found(wanted.size());
    rows_.fetch(wanted, found, context_);
    for (std::size_t k = first, next = 0; k < end; ++k) {
      const Member& member = members_[slots[k]];
      body(k, member.held ? member.row : found[next++]);
    }
  }
}

/// Reads the new members' kernel values between them and all from their rows.
void WorkingSet::read(std::span<const std::size_t> slots, std::span<const std::size_t> present) {
  std::vector<std::size_t> variables;
  for (const std::size_t s : present) variables.push_back(members_[s].variable);
  for_rows(slots, [&](std::size_t k, const KernelRows::Row& row) {
    rows_.pick(row, variables, present, subproblem_.kernel(slots[k]));
    hold(slots[k], row);
  });
}

/// Stores the row of the member in a slot, if there is room.
void WorkingSet::hold(std::size_t slot, const KernelRows::Row& row) {
  Member& member = members_[slot];
  member.held = holds_all() || slot < *options_.held_rows;
  if (holds_all())
    member.row = row;
  else if (member.held)
    member.row = rows_.copy(row, held_.view().row(slot));
}

/// The same without rows.
void WorkingSet::compute_some(std::span<const std::size_t> slots,
                              std::span<const std::size_t> present) {
  std::vector<std::uint32_t> entering, all;
  for (const std::size_t s : slots) entering.push_back(members_[s].variable);
  for (const std::size_t s : present) all.push_back(members_[s].variable);
  FloatMatrix values(entering.size(), all.size());
  rows_.compute_some(entering, all, values.view());
  for (std::size_t k = 0; k < slots.size(); ++k)
    for (std::size_t p = 0; p < present.size(); ++p)
      subproblem_.kernel(slots[k])[present[p]] = values.view().row(k)[p];
}

/// Copies the new members' rows of the set's matrix to its columns, by tiles that fit into the
/// processor's cache. Of the two values of a pair of new members, that of the later slot stays.
void WorkingSet::mirror(std::span<const std::size_t> slots, std::span<const std::size_t> present) {
  constexpr std::size_t tile = 64;
  std::vector<std::size_t> descending(slots.begin(), slots.end());
  std::ranges::sort(descending, std::greater<>());
  for (std::size_t first = 0; first < present.size(); first += tile) {
    const auto some = present.subspan(first, std::min(tile, present.size() - first));
    for (const std::size_t slot : descending)
      for (const std::size_t s : some) subproblem_.kernel(s)[slot] = subproblem_.kernel(slot)[s];
  }
}

/// Computes the kernel values of the new members with all present members.
void WorkingSet::compute(std::span<const std::size_t> slots, std::span<const std::size_t> present) {
  std::vector<std::uint32_t> variables;
  for (const std::size_t s : present) variables.push_back(members_[s].variable);
  context_.parallel_for(slots.size(), [&](std::size_t k) {
    std::vector<float> values(present.size());
    p_.direct->values(members_[slots[k]].variable, variables, values.data());
    for (std::size_t i = 0; i < present.size(); ++i)
      subproblem_.kernel(slots[k])[present[i]] = values[i];
  });
}

void WorkingSet::update_gradients(std::span<const std::size_t> slots,
                                  std::span<const double> changes, std::span<const char> free,
                                  std::vector<double>& gradients) {
  if (p_.direct) {
    std::vector<std::uint32_t> variables;
    for (const std::size_t s : slots) variables.push_back(members_[s].variable);
    return p_.direct->add(variables, changes, gradients, context_);
  }
  if (holds_all()) return add_changes(slots, changes, gradients);
  // Rows have to be fetched, which a stop request may end halfway.
  const std::vector<double> before = gradients;
  try {
    if (rows_.adds_computed())
      add_computed_changes(slots, changes, free, gradients);
    else
      add_changes(slots, changes, gradients);
  } catch (const Cancelled&) {
    gradients = before;
    throw;
  }
}

/// The same where rows that are not cached are cheaper to compute than to store. Some at a time,
/// for the speed of a matrix product.
void WorkingSet::add_computed_changes(std::span<const std::size_t> slots,
                                      std::span<const double> changes, std::span<const char> free,
                                      std::vector<double>& gradients) {
  constexpr std::size_t most_computed = 120, most = 512;
  std::vector<std::uint32_t> variables;
  std::vector<KernelRows::Row> rows;
  std::size_t computed = 0, begin = 0;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const Member& member = members_[slots[k]];
    variables.push_back(member.variable);
    rows.push_back(member.held ? member.row : rows_.cached(member.variable));
    if (!rows.back().pieces[0]) ++computed;
    if (computed < most_computed && rows.size() < most && k + 1 < slots.size()) continue;
    rows_.add_computed(variables, rows, changes.subspan(begin, rows.size()),
                       free.subspan(begin, rows.size()), gradients, context_);
    variables.clear();
    rows.clear();
    computed = 0;
    begin = k + 1;
  }
}

/// Row after row in the order of the slots, whatever the number available at a time, so that the
/// sums have the same bits.
void WorkingSet::add_changes(std::span<const std::size_t> slots, std::span<const double> changes,
                             std::vector<double>& gradients) {
  const std::size_t at_once = holds_all() ? slots.size() : options_.fetched_rows;
  std::vector<KernelRows::Row> rows;
  const auto add = [&](std::size_t end) {
    std::vector<const KernelRows::Row*> pointers;
    pointers.reserve(rows.size());
    for (const KernelRows::Row& row : rows) pointers.push_back(&row);
    rows_.add(pointers, changes.subspan(end - rows.size(), rows.size()), gradients, context_);
    rows.clear();
  };
  for_rows(slots, [&](std::size_t k, const KernelRows::Row& row) {
    rows.push_back(row);
    if (rows.size() == at_once || k + 1 == slots.size()) add(k + 1);
  });
}

}  // namespace semblance::numerics
