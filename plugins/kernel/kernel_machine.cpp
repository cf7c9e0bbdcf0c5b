// SPDX-License-Identifier: MIT
#include "kernel_machine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "skinny_product.hpp"

namespace semblance::kernel {
namespace {

void check(bool sound) {
  if (!sound) throw Error("the kernel machine has arrays of the wrong size; train it again");
}

}  // namespace

std::vector<Opponents> opponents(std::size_t classes, bool one_versus_one) {
  std::vector<Opponents> problems;
  const auto count = static_cast<std::int32_t>(classes);
  if (!one_versus_one && classes > 2) {
    for (std::int32_t c = 0; c < count; ++c) problems.push_back({c, Opponents::rest});
    return problems;
  }
  problems.reserve(classes * (classes - 1) / 2);
  for (std::int32_t a = 0; a < count; ++a)
    for (std::int32_t b = a + 1; b < count; ++b) problems.push_back({a, b});
  return problems;
}

KernelMachine::KernelMachine(std::size_t classes, bool one_versus_one, std::vector<double> biases,
                             std::span<const std::vector<Term>> terms,
                             std::span<const std::size_t> starts)
    : classes_(classes),
      one_versus_one_(one_versus_one),
      vectors_(starts.back()),
      problems_(opponents(classes, one_versus_one)),
      biases_(std::move(biases)) {
  check(biases_.size() == problems_.size() && terms.size() == problems_.size());
  // A single pass over the terms: thousands of classes make millions of problems.
  std::vector<std::size_t> group_of(vectors_);
  for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
    groups_.push_back({starts[g], starts[g + 1] - starts[g], {}, {}});
    std::fill(group_of.begin() + static_cast<std::ptrdiff_t>(starts[g]),
              group_of.begin() + static_cast<std::ptrdiff_t>(starts[g + 1]), g);
  }
  for (std::size_t p = 0; p < terms.size(); ++p)
    for (const Term& t : terms[p])
      if (auto& sharing = groups_[group_of[t.vector]].problems;
          sharing.empty() || sharing.back() != p)
        sharing.push_back(p);
  for (Group& g : groups_) g.coefficients = Vectors<double>(g.problems.size(), g.count);
  std::vector<std::size_t> row(groups_.size());  // of the coefficients, for the current problem
  for (std::size_t p = 0; p < terms.size(); ++p)
    for (const Term& t : terms[p]) {
      const std::size_t at = group_of[t.vector];
      Group& g = groups_[at];
      if (g.problems[row[at]] != p) ++row[at];
      g.coefficients.row(row[at])[t.vector - g.first] = t.coefficient;
    }
  std::erase_if(groups_, [](const Group& g) { return g.problems.empty(); });
}

void KernelMachine::save(StateWriter& state) const {
  std::vector<std::int64_t> starts, counts, sizes, problems;
  std::vector<double> coefficients;
  for (const Group& g : groups_) {
    starts.push_back(static_cast<std::int64_t>(g.first));
    counts.push_back(static_cast<std::int64_t>(g.count));
    sizes.push_back(static_cast<std::int64_t>(g.problems.size()));
    for (std::size_t k = 0; k < g.problems.size(); ++k) {
      problems.push_back(static_cast<std::int64_t>(g.problems[k]));
      coefficients.insert(coefficients.end(), g.coefficients.row(k),
                          g.coefficients.row(k) + g.count);
    }
  }
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.integer("one_versus_one", one_versus_one_ ? 1 : 0);
  state.integer("vectors", static_cast<std::int64_t>(vectors_));
  state.doubles("biases", biases_);
  state.integers("group_starts", starts);
  state.integers("group_counts", counts);
  state.integers("group_sizes", sizes);
  state.integers("group_problems", problems);
  state.doubles("coefficients", coefficients);
}

KernelMachine::KernelMachine(const StateReader& state) : biases_(state.doubles("biases")) {
  const std::int64_t classes = state.integer("classes"), vectors = state.integer("vectors");
  // More would make more pairs than memory.
  constexpr std::int64_t most_classes = 1 << 20, most_vectors = std::int64_t{1} << 40;
  check(classes >= 2 && classes < most_classes && vectors >= 0 && vectors < most_vectors);
  classes_ = static_cast<std::size_t>(classes);
  vectors_ = static_cast<std::size_t>(vectors);
  one_versus_one_ = state.integer("one_versus_one") != 0;
  const std::size_t expected =
      one_versus_one_ || classes_ == 2 ? classes_ * (classes_ - 1) / 2 : classes_;
  check(biases_.size() == expected);
  problems_ = opponents(classes_, one_versus_one_);
  const auto starts = state.integers("group_starts"), counts = state.integers("group_counts"),
             sizes = state.integers("group_sizes"), problems = state.integers("group_problems");
  const std::vector<double> coefficients = state.doubles("coefficients");
  check(counts.size() == starts.size() && sizes.size() == starts.size());
  std::size_t next_problem = 0, next_coefficient = 0;
  for (std::size_t g = 0; g < starts.size(); ++g) {
    check(starts[g] >= 0 && counts[g] > 0 && starts[g] <= vectors && counts[g] <= vectors &&
          starts[g] + counts[g] <= vectors && sizes[g] > 0 &&
          static_cast<std::size_t>(sizes[g]) <= problems.size() - next_problem);
    Group group{static_cast<std::size_t>(starts[g]), static_cast<std::size_t>(counts[g]), {}, {}};
    const auto size = static_cast<std::size_t>(sizes[g]);
    check(group.count <= (coefficients.size() - next_coefficient) / size);
    group.coefficients = Vectors<double>(size, group.count);
    for (std::size_t k = 0; k < size; ++k, next_coefficient += group.count) {
      const std::int64_t problem = problems[next_problem++];
      check(problem >= 0 && static_cast<std::size_t>(problem) < problems_.size());
      group.problems.push_back(static_cast<std::size_t>(problem));
      std::copy_n(coefficients.data() + next_coefficient, group.count, group.coefficients.row(k));
    }
    groups_.push_back(std::move(group));
  }
  check(next_problem == problems.size() && next_coefficient == coefficients.size());
}

void KernelMachine::score(MatrixView kernel, MutableMatrixView scores) const {
  std::vector<double> scratch, values, decisions(kernel.rows * problems_.size());
  for (std::size_t r = 0; r < kernel.rows; ++r)
    std::copy(biases_.begin(), biases_.end(),
              decisions.begin() + static_cast<std::ptrdiff_t>(r * problems_.size()));
  constexpr std::size_t step = 16;
  const float* rows[step];
  for (std::size_t first = 0; first < kernel.rows; first += step) {
    const std::size_t count = std::min(step, kernel.rows - first);
    for (const Group& g : groups_) {
      for (std::size_t i = 0; i < count; ++i) rows[i] = kernel.row(first + i) + g.first;
      const std::size_t problems = g.problems.size();
      scratch.resize(std::max(scratch.size(), common::multiply_scratch(step, problems)));
      values.resize(std::max(values.size(), step * problems));
      common::multiply(common::TallBlock{rows, count, g.count}, g.coefficients.row(0),
                       g.coefficients.stride(), problems, scratch.data(), values.data());
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < problems; ++k)
          decisions[(first + i) * problems_.size() + g.problems[k]] += values[i * problems + k];
    }
  }
  for (std::size_t r = 0; r < kernel.rows; ++r)
    combine({decisions.data() + r * problems_.size(), problems_.size()}, scores.row_span(r));
}

/// sum_i b_i (v_i - centre): as each problem's coefficients have the sum 0, the result does not
/// depend on the centre except for rounding, which is least for a centre among the vectors.
Vectors<double> KernelMachine::functions(const KeptBases& vectors, std::size_t cols,
                                         std::span<const float> centre) const {
  Vectors<double> sums(problems_.size(), cols);
  std::vector<float> first(cols), vector(cols);
  if (centre.empty() && vectors_ > 0) {
    vectors.kept_basis(0, first);
    centre = first;
  }
  for (const Group& g : groups_)
    for (std::size_t i = 0; i < g.count; ++i) {
      vectors.kept_basis(g.first + i, vector);
      for (std::size_t k = 0; k < g.problems.size(); ++k) {
        const double b = g.coefficients.row(k)[i];
        double* const sum = sums.row(g.problems[k]);
        for (std::size_t c = 0; b != 0 && c < cols; ++c)
          sum[c] += b * (double{vector[c]} - double{centre[c]});
      }
    }
  return sums;
}

void KernelMachine::move_centre(const KeptBases& vectors, std::span<const float> centre) {
  const Vectors<double> weights = functions(vectors, centre.size(), centre);
  for (std::size_t p = 0; p < problems_.size(); ++p)
    for (std::size_t c = 0; c < centre.size(); ++c)
      biases_[p] -= weights.row(p)[c] * double{centre[c]};
}

void KernelMachine::score(MatrixView rows, const Vectors<double>& functions,
                          MutableMatrixView scores) const {
  const std::size_t problems = problems_.size();
  constexpr std::size_t step = 16;
  std::vector<double> scratch(common::multiply_scratch(step, problems)), decisions(step * problems);
  FloatMatrix dense(rows.sparse() ? step : 0, rows.cols);
  const float* data[step];
  for (std::size_t first = 0; first < rows.rows; first += step) {
    const std::size_t count = std::min(step, rows.rows - first);
    std::ranges::fill(dense.values, 0.0F);
    for (std::size_t i = 0; i < count; ++i) {
      data[i] = rows.row(first + i);
      if (!rows.sparse()) continue;
      float* const values = dense.view().row(i);
      const auto columns = rows.columns_of(first + i);
      for (std::size_t k = 0; k < columns.size(); ++k) values[columns[k]] = data[i][k];
      data[i] = values;
    }
    common::multiply(common::TallBlock{data, count, rows.cols}, functions.row(0),
                     functions.stride(), problems, scratch.data(), decisions.data());
    for (std::size_t i = 0; i < count; ++i) {
      const auto own = std::span(decisions).subspan(i * problems, problems);
      for (std::size_t p = 0; p < problems; ++p) own[p] += biases_[p];
      combine(own, scores.row_span(first + i));
    }
  }
}

void KernelMachine::combine(std::span<const double> decisions, std::span<float> scores) const {
  if (classes_ == 2) {
    constexpr float least = std::numeric_limits<float>::denorm_min();
    const auto f = static_cast<float>(decisions[0]);
    scores[0] = decisions[0] > 0 ? std::max(f, least) : std::min(f, -least);
    scores[1] = -scores[0];
    return;
  }
  if (!one_versus_one_) {
    for (std::size_t c = 0; c < classes_; ++c) scores[c] = static_cast<float>(decisions[c]);
    return;
  }
  std::vector<double> votes(classes_), sums(classes_);
  for (std::size_t p = 0; p < problems_.size(); ++p) {
    const auto positive = static_cast<std::size_t>(problems_[p].positive);
    const auto negative = static_cast<std::size_t>(problems_[p].negative);
    ++votes[decisions[p] > 0 ? positive : negative];
    sums[positive] += decisions[p];
    sums[negative] -= decisions[p];
  }
  for (std::size_t c = 0; c < classes_; ++c)
    scores[c] = static_cast<float>(votes[c] + sums[c] / (3 * std::abs(sums[c]) + 3));
}

}  // namespace semblance::kernel
