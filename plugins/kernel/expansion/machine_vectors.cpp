// SPDX-License-Identifier: MIT
#include "expansion/machine_vectors.hpp"

#include <algorithm>
#include <utility>

namespace semblance::kernel {
namespace {

/// Converts the terms to coefficients of all samples on unrepaired similarities.
void spread(std::vector<Term>& terms, const RepairRecord& record, std::vector<char>& used) {
  if (terms.empty()) return;
  std::vector<double> coefficients(used.size());
  for (const Term& term : terms) coefficients[term.vector] = term.coefficient;
  numerics::repair_coefficients(record.how, *record.spectrum, coefficients, record.negative_weight);
  terms.clear();
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0) continue;
    terms.push_back({i, coefficients[i]});
    used[i] = 1;
  }
}

/// Makes the used samples the vectors of the terms.
MachineVectors take_vectors(const std::vector<char>& used, const SortedSamples& rows,
                            Terms& terms) {
  MachineVectors vectors;
  std::vector<std::size_t> number(used.size());
  for (std::size_t c = 0; c + 1 < rows.starts.size(); ++c) {
    for (std::size_t i = rows.starts[c]; i < rows.starts[c + 1]; ++i)
      if (used[i]) {
        number[i] = vectors.places.size();
        vectors.places.push_back(i);
        vectors.rows.push_back(rows.order[i]);
      }
    vectors.starts.push_back(vectors.places.size());
  }
  for (auto& problem : terms)
    for (Term& term : problem) term.vector = number[term.vector];
  return vectors;
}

}  // namespace

std::vector<char> samples_used(std::span<const std::vector<Term>> terms, std::size_t n) {
  std::vector<char> used(n);
  for (const auto& function : terms)
    for (const Term& term : function) used[term.vector] = 1;
  return used;
}

MachineVectors choose_vectors(const KernelTask& task, const SortedSamples& rows,
                              const RepairRecord& repair, Terms& terms, Context& context) {
  std::vector<char> used = samples_used(terms, rows.order.size());
  if (repair.spectrum && repair.how != numerics::SpectrumRepair::shift)
    for (auto& problem : terms) spread(problem, repair, used);
  // Such a kernel would learn something else (another width) from only some of the samples than in
  // training.
  if (task.kernel.learns_from_bases()) std::ranges::fill(used, 1);
  // A machine without support vectors has only biases, but a similarity needs a basis.
  if (std::count(used.begin(), used.end(), 1) == 0) used[0] = 1;
  MachineVectors vectors = take_vectors(used, rows, terms);
  rows.set_bases(task.kernel, vectors.places, context);
  return vectors;
}

}  // namespace semblance::kernel
