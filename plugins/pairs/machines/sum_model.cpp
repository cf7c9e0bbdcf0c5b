// SPDX-License-Identifier: MIT
#include "machines/sum_model.hpp"

#include <cblas.h>

#include <algorithm>
#include <numeric>

#include "newton/pair_products.hpp"
#include "newton/products.hpp"
#include "semblance/error.hpp"

namespace semblance::pairs {
namespace {

using Weights = PairKernelSum::Weights;

std::vector<double> degrees(const Expansion& e, std::size_t examples) {
  std::vector<double> s(examples);
  for (std::size_t p = 0; p < e.coefficients.size(); ++p) {
    s[static_cast<std::size_t>(e.first[p])] += e.coefficients[p];
    s[static_cast<std::size_t>(e.second[p])] += e.coefficients[p];
  }
  return s;
}

std::size_t smaller(const Pair& p) { return static_cast<std::size_t>(std::min(p.first, p.second)); }

/// Listed pairs by their smaller row, and each one's place in the list.
struct PairsByRow {
  PairTable table;
  std::vector<std::size_t> order;

  PairsByRow(std::span<const Pair> pairs, std::size_t rows) : order(pairs.size()) {
    std::vector<std::size_t> starts(rows + 1);
    for (const Pair& pair : pairs) ++starts[smaller(pair) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::size_t> next = starts;
    std::vector<std::uint32_t> others(pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::size_t at = next[smaller(pairs[p])]++;
      others[at] = static_cast<std::uint32_t>(std::max(pairs[p].first, pairs[p].second));
      order[at] = p;
    }
    table = PairTable(std::move(starts), std::move(others));
  }
};

void save(const QuadraticForm& form, const std::string& prefix, StateWriter& state) {
  state.doubles(prefix + "cross", form.cross);
  state.doubles(prefix + "own", form.own);
  state.doubles(prefix + "linear", form.linear);
}

QuadraticForm load(const StateReader& state, const std::string& prefix, std::size_t m) {
  QuadraticForm form{state.doubles(prefix + "cross"), state.doubles(prefix + "own"),
                     state.doubles(prefix + "linear")};
  const auto fits = [](const std::vector<double>& values, std::size_t size) {
    return values.empty() || values.size() == size;
  };
  if (!fits(form.cross, m * m) || !fits(form.own, m * m) || !fits(form.linear, m))
    throw Error("the saved pairwise model has an array of the wrong size; train it again");
  return form;
}

}  // namespace

Expansion expansion_of(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                       std::span<const double> coefficients) {
  Expansion made;
  for (std::size_t p = 0; p < coefficients.size(); ++p)
    if (coefficients[p] != 0) {
      made.first.push_back(first[p]);
      made.second.push_back(second[p]);
      made.coefficients.push_back(coefficients[p]);
    }
  return made;
}

QuadraticForm quadratic_form(const Weights& weights, const Expansion& e, std::size_t n) {
  QuadraticForm form;
  const std::vector<double> s = degrees(e, n);
  const double cross = (weights.tensor_learning + weights.metric_learning) / 2;
  const double own = weights.metric_learning / 4;
  if (weights.symmetric_direct_sum != 0)
    for (const double x : s) form.linear.push_back(weights.symmetric_direct_sum / 2 * x);
  if (cross != 0) form.cross.assign(n * n, 0);
  if (own != 0) form.own.assign(n * n, 0);
  const auto add = [n](std::vector<double>& to, std::size_t i, std::size_t j, double x) {
    if (!to.empty()) to[i * n + j] += x;
  };
  for (std::size_t p = 0; p < e.coefficients.size(); ++p) {
    const auto i = static_cast<std::size_t>(e.first[p]), j = static_cast<std::size_t>(e.second[p]);
    for (const auto& [a, b] : {std::pair(i, j), std::pair(j, i)}) {
      add(form.cross, a, b, cross * e.coefficients[p]);
      add(form.own, a, b, -own * e.coefficients[p]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    add(form.cross, i, i, -weights.metric_learning / 2 * s[i]);
    add(form.own, i, i, own * s[i]);
  }
  return form;
}

QuadraticForm linear_quadratic_form(const Weights& weights, const Expansion& e, MatrixView x) {
  QuadraticForm form;
  const std::size_t n = x.rows, d = x.cols;
  const std::vector<double> s = degrees(e, n);
  std::vector<double> sx(n * d), diagonal(n * d), values(n * d);  // S X, diag(s) X, X
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < d; ++k) {
      values[i * d + k] = x.row(i)[k];
      diagonal[i * d + k] = s[i] * x.row(i)[k];
    }
  for (std::size_t p = 0; p < e.coefficients.size(); ++p) {
    const auto i = static_cast<std::size_t>(e.first[p]), j = static_cast<std::size_t>(e.second[p]);
    add_scaled(e.coefficients[p], values.data() + j * d, sx.data() + i * d, d);
    add_scaled(e.coefficients[p], values.data() + i * d, sx.data() + j * d, d);
  }
  const auto add = [&](std::vector<double>& to, double factor, const std::vector<double>& right) {
    to.resize(d * d);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(d), static_cast<int>(d),
                static_cast<int>(n), factor, values.data(), static_cast<int>(d), right.data(),
                static_cast<int>(d), 1, to.data(), static_cast<int>(d));
  };
  const double metric = weights.metric_learning;
  if (weights.tensor_learning + metric != 0)
    add(form.cross, (weights.tensor_learning + metric) / 2, sx);
  if (metric != 0) {
    add(form.cross, -metric / 2, diagonal);
    add(form.own, metric / 4, diagonal);
    add(form.own, -metric / 4, sx);
  }
  if (weights.symmetric_direct_sum != 0) {
    form.linear.assign(d, 0);
    for (std::size_t i = 0; i < n; ++i)
      add_scaled(weights.symmetric_direct_sum / 2 * s[i], values.data() + i * d, form.linear.data(),
                 d);
  }
  symmetrise(form.cross, d);
  symmetrise(form.own, d);
  return form;
}

void SumModel::score(MatrixView values, const PairSet& pairs, std::span<float> out,
                     Context& context) const {
  const Factor rows = Factor::of_rows(values);
  const Factor squares = squared.empty() ? Factor() : Factor::of_rows(values, true);
  std::vector<FormPart> parts{{{}, &rows}};
  std::vector<QuadraticForm> forms{plain};
  if (!squared.empty()) parts.push_back({{}, &squares}), forms.push_back(squared);
  const PairSpace space(std::move(parts));

  const std::size_t n = values.rows;
  std::vector<std::int32_t> each(n);
  std::iota(each.begin(), each.end(), 0);
  const bool all = !pairs.is_list() && std::ranges::equal(pairs.rows(), each);
  const std::vector<Pair> expanded =
      all || pairs.is_list() ? std::vector<Pair>() : pairs.expanded();
  const std::span<const Pair> list = pairs.is_list() ? pairs.list() : expanded;
  const PairShares shares(n);
  PairsByRow by_row(list, n);
  if (all) by_row.table = PairTable(n, pairs.reflexive());
  const PairTable& table = by_row.table;
  PairProducts<double> products(space, shares, context);
  if (!products.set_forms(forms)) context.check_stop();
  context.parallel_for(shares.blocks(), [&](std::size_t b) {
    context.check_stop();
    const std::size_t start = table.start(shares.first(b));
    std::vector<double> f(table.start(shares.end(b)) - start);
    // A listed pair's value does not depend on the others in the list.
    products.values(b, table, all, f.data());
    for (std::size_t p = 0; p < f.size(); ++p)
      out[all ? start + p : by_row.order[start + p]] = static_cast<float>(f[p] + bias);
  });
}

void SumModel::save(StateWriter& state) const {
  state.integer("features", static_cast<std::int64_t>(features));
  state.number("bias", bias);
  pairs::save(plain, "plain_", state);
  pairs::save(squared, "squared_", state);
}

SumModel SumModel::load(const StateReader& state) {
  const std::int64_t features = state.integer("features");
  if (features < 1) throw Error("the saved pairwise model has no features; train it again");
  const auto m = static_cast<std::size_t>(features);
  return {m, state.number("bias"), pairs::load(state, "plain_", m),
          pairs::load(state, "squared_", m)};
}

}  // namespace semblance::pairs
