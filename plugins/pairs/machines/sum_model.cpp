// SPDX-License-Identifier: MIT
#include "machines/sum_model.hpp"

#include <cblas.h>

#include <algorithm>
#include <numeric>

#include "newton/double_products.hpp"
#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "training/pair_shares.hpp"

namespace semblance::pairs {
namespace {

// The number of rows whose products with A are stored at once.
constexpr std::size_t model_rows_at_once = 64;

using Weights = PairKernelSum::Weights;

std::vector<double> degrees(const Expansion& e, std::size_t examples) {
  std::vector<double> s(examples);
  for (std::size_t p = 0; p < e.coefficients.size(); ++p) {
    s[static_cast<std::size_t>(e.first[p])] += e.coefficients[p];
    s[static_cast<std::size_t>(e.second[p])] += e.coefficients[p];
  }
  return s;
}

/// A feature matrix in double with the products for decision values.
class Scorer {
 public:
  Scorer(const QuadraticForm& form, MatrixView features, bool squared, Context& context)
      : form_(form), rows_(features.rows), m_(features.cols), values_(rows_ * m_), own_(rows_) {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < m_; ++k) {
        const double x = features.row(i)[k];
        values_[i * m_ + k] = squared ? x * x : x;
      }
    context.parallel_for(blocks(), [&](std::size_t b) { compute_own(b); });
  }

  std::size_t blocks() const { return (rows_ + model_rows_at_once - 1) / model_rows_at_once; }
  const double* row(std::size_t i) const { return values_.data() + i * m_; }
  double own(std::size_t i) const { return own_[i]; }

  /// The rows [first, first + count) times A.
  void cross(std::size_t first, std::size_t count, std::vector<double>& out) const {
    out.assign(count * m_, 0);
    if (!form_.cross.empty()) product(count, form_.cross, first, out);
  }
  double dot(const double* product, std::size_t j) const {
    return form_.cross.empty() ? 0 : pairs::dot(product, row(j), m_);
  }
  /// out(i, j) += <product i, row first + j>
  void add_dots(const std::vector<double>& products, std::size_t count, std::size_t first,
                std::size_t others, double* out) const {
    if (form_.cross.empty()) return;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count),
                static_cast<int>(others), static_cast<int>(m_), 1, products.data(),
                static_cast<int>(m_), row(first), static_cast<int>(m_), 1, out,
                static_cast<int>(others));
  }

 private:
  void product(std::size_t count, const std::vector<double>& matrix, std::size_t first,
               std::vector<double>& out) const {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(count),
                static_cast<int>(m_), static_cast<int>(m_), 1, row(first), static_cast<int>(m_),
                matrix.data(), static_cast<int>(m_), 0, out.data(), static_cast<int>(m_));
  }
  void compute_own(std::size_t block) {
    const std::size_t first = block * model_rows_at_once,
                      count = std::min(model_rows_at_once, rows_ - first);
    std::vector<double> products(form_.own.empty() ? 0 : count * m_);
    if (!form_.own.empty()) product(count, form_.own, first, products);
    for (std::size_t i = 0; i < count; ++i) {
      double q = 0;
      if (!form_.own.empty()) q += pairs::dot(products.data() + i * m_, row(first + i), m_);
      if (!form_.linear.empty()) q += pairs::dot(form_.linear.data(), row(first + i), m_);
      own_[first + i] = q;
    }
  }

  const QuadraticForm& form_;
  std::size_t rows_;
  std::size_t m_;
  std::vector<double> values_;
  std::vector<double> own_;
};

std::vector<Scorer> scorers(const SumModel& model, MatrixView features, Context& context) {
  std::vector<Scorer> made;
  if (!model.plain.empty()) made.emplace_back(model.plain, features, false, context);
  if (!model.squared.empty()) made.emplace_back(model.squared, features, true, context);
  return made;
}

/// Listed pairs by their smaller row: those of the own blocks of rows.
class PairsByRow {
 public:
  PairsByRow(std::span<const Pair> pairs, const PairShares& shares)
      : starts_(shares.examples() + 1) {
    const auto is_own = [&](const Pair& pair) {
      return shares.has(smaller(pair) / PairShares::block_size);
    };
    for (const Pair& pair : pairs)
      if (is_own(pair)) ++starts_[smaller(pair) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    std::vector<std::size_t> next = starts_;
    order_.resize(starts_.back());
    for (std::size_t p = 0; p < pairs.size(); ++p)
      if (is_own(pairs[p])) order_[next[smaller(pairs[p])]++] = p;
  }
  static std::size_t smaller(const Pair& p) {
    return static_cast<std::size_t>(std::min(p.first, p.second));
  }
  std::size_t start(std::size_t row) const { return starts_[row]; }
  std::size_t pair(std::size_t place) const { return order_[place]; }

 private:
  std::vector<std::size_t> starts_, order_;
};

std::vector<std::size_t> pairs_by_smaller(std::span<const Pair> pairs, std::size_t rows) {
  std::vector<std::size_t> counts(PairShares::block_count(rows));
  for (const Pair& pair : pairs) ++counts[PairsByRow::smaller(pair) / PairShares::block_size];
  return counts;
}

/// Sends each rank's scores to all ranks. Collective.
void gather_scores(std::span<const Pair> pairs, const PairShares& shares, std::span<float> out,
                   Context& context) {
  // Not all at once: there may be many pairs.
  constexpr std::size_t at_once = std::size_t{1} << 20;
  const auto owner = [&](std::size_t p) {
    return shares.owner(PairsByRow::smaller(pairs[p]) / PairShares::block_size);
  };
  Collectives& ranks = context.collectives();
  for (std::size_t from = 0; from < pairs.size(); from += at_once) {
    const std::size_t to = std::min(pairs.size(), from + at_once);
    std::vector<float> own;
    std::vector<std::size_t> next(shares.ranks() + 1);  // of each rank, in the received data
    for (std::size_t p = from; p < to; ++p) {
      if (owner(p) == ranks.rank()) own.push_back(out[p]);
      ++next[owner(p) + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<float> come = ranks.gather(own);
    for (std::size_t p = from; p < to; ++p) out[p] = come[next[owner(p)]++];
  }
}

/// Ranks share out the blocks of rows.
void score_list(const std::vector<Scorer>& parts, double bias, std::size_t rows,
                std::span<const Pair> pairs, std::span<float> out, Context& context) {
  const Collectives& ranks = context.collectives();
  const PairShares shares(rows, pairs_by_smaller(pairs, rows), ranks.rank(), ranks.ranks());
  const PairsByRow own(pairs, shares);
  context.parallel_for(shares.own().size(), [&](std::size_t k) {
    context.check_stop();
    const std::size_t first = shares.first(shares.own()[k]), end = shares.end(shares.own()[k]);
    if (own.start(first) == own.start(end)) return;
    std::vector<std::vector<double>> products(parts.size());
    for (std::size_t t = 0; t < parts.size(); ++t) parts[t].cross(first, end - first, products[t]);
    for (std::size_t place = own.start(first); place < own.start(end); ++place) {
      const Pair& pair = pairs[own.pair(place)];
      const std::size_t i = PairsByRow::smaller(pair), j = static_cast<std::size_t>(pair.first) +
                                                           static_cast<std::size_t>(pair.second) -
                                                           i;
      double f = bias;
      for (std::size_t t = 0; t < parts.size(); ++t) {
        const std::size_t m = products[t].size() / (end - first);
        f += parts[t].own(i) + parts[t].own(j) +
             parts[t].dot(products[t].data() + (i - first) * m, j);
      }
      out[own.pair(place)] = static_cast<float>(f);
    }
  });
  if (shares.ranks() > 1) gather_scores(pairs, shares, out, context);
}

/// All pairs of the rows 0, 1, ..., by blocks of them.
void score_all(const std::vector<Scorer>& parts, double bias, std::size_t rows, bool reflexive,
               std::span<float> out, Context& context) {
  const std::size_t skipped = reflexive ? 0 : 1;
  const auto start = [&](std::size_t i) { return i * (rows - skipped) - (i * (i + 1) / 2 - i); };
  context.parallel_for((rows + model_rows_at_once - 1) / model_rows_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * model_rows_at_once,
                      count = std::min(model_rows_at_once, rows - first);
    const std::size_t others = rows - first;
    std::vector<double> f(count * others, bias), products;
    for (const Scorer& part : parts) {
      part.cross(first, count, products);
      part.add_dots(products, count, first, others, f.data());
    }
    for (std::size_t i = 0; i < count; ++i) {
      float* const to = out.data() + start(first + i);
      for (std::size_t j = i + skipped; j < others; ++j) {
        double value = f[i * others + j];
        for (const Scorer& part : parts) value += part.own(first + i) + part.own(first + j);
        to[j - i - skipped] = static_cast<float>(value);
      }
    }
  });
}

bool ascending(std::span<const std::int32_t> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != static_cast<std::int32_t>(i)) return false;
  return true;
}

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
  use_one_blas_thread();
  const std::vector<Scorer> parts = scorers(*this, values, context);
  if (!pairs.is_list() && pairs.rows().size() == values.rows && ascending(pairs.rows()))
    return score_all(parts, bias, values.rows, pairs.reflexive(), out, context);
  const std::vector<Pair> listed = pairs.is_list() ? std::vector<Pair>() : pairs.expanded();
  score_list(parts, bias, values.rows, pairs.is_list() ? pairs.list() : listed, out, context);
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
