// SPDX-License-Identifier: MIT
#include "expansion/kernel_expansion.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"
#include "skinny_product.hpp"

namespace semblance::kernel {

void check_saved(bool sound) {
  if (!sound) throw Error("the kernel machine has arrays of the wrong size; train it again");
}

KernelExpansion::KernelExpansion(std::vector<double> biases,
                                 std::span<const std::vector<Term>> terms,
                                 std::span<const std::size_t> starts)
    : vectors_(starts.back()), biases_(std::move(biases)) {
  check_saved(biases_.size() == terms.size());
  // A single pass over the terms: thousands of classes make millions of problems.
  std::vector<std::size_t> group_of(vectors_);
  for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
    groups_.push_back({starts[g], starts[g + 1] - starts[g], {}, {}});
    std::fill(group_of.begin() + static_cast<std::ptrdiff_t>(starts[g]),
              group_of.begin() + static_cast<std::ptrdiff_t>(starts[g + 1]), g);
  }
  for (std::size_t p = 0; p < terms.size(); ++p)
    for (const Term& t : terms[p])
      if (auto& sharing = groups_[group_of[t.vector]].functions;
          sharing.empty() || sharing.back() != p)
        sharing.push_back(p);
  for (Group& g : groups_) g.coefficients = Vectors<double>(g.functions.size(), g.count);
  std::vector<std::size_t> row(groups_.size());  // of the coefficients, for the current function
  for (std::size_t p = 0; p < terms.size(); ++p)
    for (const Term& t : terms[p]) {
      const std::size_t at = group_of[t.vector];
      Group& g = groups_[at];
      if (g.functions[row[at]] != p) ++row[at];
      g.coefficients.row(row[at])[t.vector - g.first] = t.coefficient;
    }
  std::erase_if(groups_, [](const Group& g) { return g.functions.empty(); });
}

void KernelExpansion::save(StateWriter& state) const {
  std::vector<std::int64_t> starts, counts, sizes, functions;
  std::vector<double> coefficients;
  for (const Group& g : groups_) {
    starts.push_back(static_cast<std::int64_t>(g.first));
    counts.push_back(static_cast<std::int64_t>(g.count));
    sizes.push_back(static_cast<std::int64_t>(g.functions.size()));
    for (std::size_t k = 0; k < g.functions.size(); ++k) {
      functions.push_back(static_cast<std::int64_t>(g.functions[k]));
      coefficients.insert(coefficients.end(), g.coefficients.row(k),
                          g.coefficients.row(k) + g.count);
    }
  }
  state.integer("vectors", static_cast<std::int64_t>(vectors_));
  state.doubles("biases", biases_);
  state.integers("group_starts", starts);
  state.integers("group_counts", counts);
  state.integers("group_sizes", sizes);
  state.integers("group_problems", functions);
  state.doubles("coefficients", coefficients);
}

KernelExpansion::KernelExpansion(const StateReader& state) : biases_(state.doubles("biases")) {
  const std::int64_t vectors = state.integer("vectors");
  constexpr std::int64_t most_vectors = std::int64_t{1} << 40;  // more than memory
  check_saved(vectors >= 0 && vectors < most_vectors);
  vectors_ = static_cast<std::size_t>(vectors);
  const auto starts = state.integers("group_starts"), counts = state.integers("group_counts"),
             sizes = state.integers("group_sizes"), functions = state.integers("group_problems");
  const std::vector<double> coefficients = state.doubles("coefficients");
  check_saved(counts.size() == starts.size() && sizes.size() == starts.size());
  std::size_t next_function = 0, next_coefficient = 0;
  for (std::size_t g = 0; g < starts.size(); ++g) {
    check_saved(starts[g] >= 0 && counts[g] > 0 && starts[g] <= vectors && counts[g] <= vectors &&
                starts[g] + counts[g] <= vectors && sizes[g] > 0 &&
                static_cast<std::size_t>(sizes[g]) <= functions.size() - next_function);
    Group group{static_cast<std::size_t>(starts[g]), static_cast<std::size_t>(counts[g]), {}, {}};
    const auto size = static_cast<std::size_t>(sizes[g]);
    check_saved(group.count <= (coefficients.size() - next_coefficient) / size);
    group.coefficients = Vectors<double>(size, group.count);
    for (std::size_t k = 0; k < size; ++k, next_coefficient += group.count) {
      const std::int64_t function = functions[next_function++];
      check_saved(function >= 0 && static_cast<std::size_t>(function) < count());
      group.functions.push_back(static_cast<std::size_t>(function));
      std::copy_n(coefficients.data() + next_coefficient, group.count, group.coefficients.row(k));
    }
    groups_.push_back(std::move(group));
  }
  check_saved(next_function == functions.size() && next_coefficient == coefficients.size());
}

std::vector<double> KernelExpansion::coefficients(std::size_t function) const {
  std::vector<double> all(vectors_);
  for (const Group& g : groups_)
    for (std::size_t k = 0; k < g.functions.size(); ++k)
      if (g.functions[k] == function)
        std::copy_n(g.coefficients.row(k), g.count,
                    all.begin() + static_cast<std::ptrdiff_t>(g.first));
  return all;
}

std::vector<double> KernelExpansion::values(MatrixView kernel) const {
  std::vector<double> scratch, values, sums(kernel.rows * count());
  for (std::size_t r = 0; r < kernel.rows; ++r)
    std::copy(biases_.begin(), biases_.end(),
              sums.begin() + static_cast<std::ptrdiff_t>(r * count()));
  constexpr std::size_t step = 16;
  const float* rows[step];
  for (std::size_t first = 0; first < kernel.rows; first += step) {
    const std::size_t some = std::min(step, kernel.rows - first);
    for (const Group& g : groups_) {
      for (std::size_t i = 0; i < some; ++i) rows[i] = kernel.row(first + i) + g.first;
      const std::size_t functions = g.functions.size();
      scratch.resize(std::max(scratch.size(), common::multiply_scratch(step, functions)));
      values.resize(std::max(values.size(), step * functions));
      common::multiply(common::TallBlock{rows, some, g.count}, g.coefficients.row(0),
                       g.coefficients.stride(), functions, scratch.data(), values.data());
      for (std::size_t i = 0; i < some; ++i)
        for (std::size_t k = 0; k < functions; ++k)
          sums[(first + i) * count() + g.functions[k]] += values[i * functions + k];
    }
  }
  return sums;
}

/// sum_i b_i (v_i - centre): as each function's coefficients have the sum 0, the result does not
/// depend on the centre except for rounding, which is least for a centre among the vectors.
Vectors<double> KernelExpansion::weights(const Similarity& vectors, std::size_t cols,
                                         std::span<const float> centre) const {
  Vectors<double> sums(count(), cols);
  std::vector<float> first(cols), vector(cols);
  if (centre.empty() && vectors_ > 0) {
    vectors.kept_basis(0, first);
    centre = first;
  }
  for (const Group& g : groups_)
    for (std::size_t i = 0; i < g.count; ++i) {
      vectors.kept_basis(g.first + i, vector);
      for (std::size_t k = 0; k < g.functions.size(); ++k) {
        const double b = g.coefficients.row(k)[i];
        double* const sum = sums.row(g.functions[k]);
        for (std::size_t c = 0; b != 0 && c < cols; ++c)
          sum[c] += b * (double{vector[c]} - double{centre[c]});
      }
    }
  return sums;
}

void KernelExpansion::move_centre(const Similarity& vectors, std::span<const float> centre) {
  const Vectors<double> all = weights(vectors, centre.size(), centre);
  for (std::size_t p = 0; p < count(); ++p)
    for (std::size_t c = 0; c < centre.size(); ++c) biases_[p] -= all.row(p)[c] * double{centre[c]};
}

void KernelExpansion::values(
    MatrixView rows, const Vectors<double>& weights,
    const std::function<void(std::size_t, std::span<const double>)>& take) const {
  const std::size_t functions = count();
  constexpr std::size_t step = 16;
  std::vector<double> scratch(common::multiply_scratch(step, functions)), sums(step * functions);
  FloatMatrix dense(rows.sparse() ? step : 0, rows.cols);
  const float* data[step];
  for (std::size_t first = 0; first < rows.rows; first += step) {
    const std::size_t some = std::min(step, rows.rows - first);
    std::ranges::fill(dense.values, 0.0F);
    for (std::size_t i = 0; i < some; ++i) {
      data[i] = rows.row(first + i);
      if (!rows.sparse()) continue;
      float* const values = dense.view().row(i);
      const auto columns = rows.columns_of(first + i);
      for (std::size_t k = 0; k < columns.size(); ++k) values[columns[k]] = data[i][k];
      data[i] = values;
    }
    common::multiply(common::TallBlock{data, some, rows.cols}, weights.row(0), weights.stride(),
                     functions, scratch.data(), sums.data());
    for (std::size_t i = 0; i < some; ++i) {
      const auto own = std::span(sums).subspan(i * functions, functions);
      for (std::size_t p = 0; p < functions; ++p) own[p] += biases_[p];
      take(first + i, own);
    }
  }
}

/// Each group of vectors contributes to the values of few functions: concatenates these
/// sums, from which each function gathers its own.
Formula::Value KernelExpansion::write(Formula& formula, Formula::Value kernel) const {
  const Formula::Value values = formula.widen(kernel);
  auto sum = formula.constant(std::span<const double>(biases_));
  std::vector<Formula::Value> sums;
  std::vector<std::vector<std::size_t>> places(count());  // of a function's sums
  std::size_t place = 0;
  for (const Group& g : groups_) {
    std::vector<std::size_t> columns(g.count);
    std::iota(columns.begin(), columns.end(), g.first);
    std::vector<double> matrix;
    for (std::size_t k = 0; k < g.functions.size(); ++k) {
      matrix.insert(matrix.end(), g.coefficients.row(k), g.coefficients.row(k) + g.count);
      places[g.functions[k]].push_back(place++);
    }
    const auto own = g.count == vectors_ ? values : formula.gather(values, std::move(columns));
    sums.push_back(formula.products(own, matrix));
  }
  if (sums.empty()) return sum;
  sums.push_back(formula.number(0, sum));  // for functions with fewer groups
  const auto all = formula.concatenate(sums);
  std::size_t most = 0;
  for (const auto& own : places) most = std::max(most, own.size());
  for (std::size_t r = 0; r < most; ++r) {
    std::vector<std::size_t> columns;
    columns.reserve(places.size());
    for (const auto& own : places) columns.push_back(r < own.size() ? own[r] : place);
    sum = formula.add(sum, formula.gather(all, std::move(columns)));
  }
  return sum;
}

Formula::Value KernelExpansion::write(Formula& formula, const Vectors<double>& weights,
                                      Formula::Value in) const {
  std::vector<double> rows;
  for (std::size_t p = 0; p < weights.count(); ++p)
    rows.insert(rows.end(), weights.row(p), weights.row(p) + weights.cols());
  return formula.add(formula.products(formula.widen(in), rows),
                     formula.constant(std::span<const double>(biases_)));
}

void VectorOrigins::save(StateWriter& state) const {
  state.integers("vector_rows", std::vector<std::int64_t>(rows.begin(), rows.end()));
  std::vector<std::int64_t> numbers;
  for (const VectorRole role : roles) numbers.push_back(static_cast<std::int64_t>(role));
  state.integers("vector_roles", numbers);
}

VectorOrigins VectorOrigins::load(const StateReader& state, std::size_t vectors) {
  VectorOrigins origins;
  if (!state.has("vector_rows")) return origins;  // of an earlier version
  const auto rows = state.integers("vector_rows"), roles = state.integers("vector_roles");
  const auto all_below = [](const std::vector<std::int64_t>& numbers, std::int64_t end) {
    return std::ranges::all_of(numbers, [&](auto number) { return number >= 0 && number < end; });
  };
  check_saved(rows.empty() || rows.size() == vectors);
  check_saved(roles.empty() || roles.size() == vectors);
  check_saved(all_below(rows, std::int64_t{std::numeric_limits<std::uint32_t>::max()} + 1));
  check_saved(all_below(roles, static_cast<std::int64_t>(VectorRole::bound) + 1));
  origins.rows.assign(rows.begin(), rows.end());
  for (const std::int64_t role : roles) origins.roles.push_back(static_cast<VectorRole>(role));
  return origins;
}

}  // namespace semblance::kernel
