// SPDX-License-Identifier: MIT
#include "newton/preconditioner.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "newton/gram.hpp"
#include "newton/shared_gram.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::solvers {
namespace {

std::size_t dimension_of(const HessianSample& sample) {
  return sample.rows.cols() + (sample.bias != 0 ? 1 : 0);
}

OwnParts own_of(const HessianSample& sample, Context& context) {
  return context.collectives().own(RowParts(sample.rows.rows()));
}

/// What the shares below the stretch add up to before each part, and before the end.
std::vector<double> shares_before_parts(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<double> sums(own.count);
  for (std::size_t p = 0; p < own.count; ++p) {
    const std::size_t first = parts.first_row(own.first + p) - own.first_row;
    for (const float share : sample.shares.subspan(first, parts.rows_of(own.first + p)))
      if (share < sample.stretch) sums[p] += share;
  }
  std::vector<double> before{0};
  for (const double sum : context.collectives().gather(sums)) before.push_back(before.back() + sum);
  return before;
}

/// One place in each stretch of the cumulated shares, by a fixed random stream; of those that lie
/// between two cumulated shares.
class Places {
 public:
  Places(double stretch, double from, double to)
      : stretch_(stretch), first_(static_cast<std::size_t>(from / stretch)) {
    Random random(1);
    for (std::size_t i = 0; i < first_; ++i) random.uniform();
    for (double i = static_cast<double>(first_); i <= to / stretch + 1; ++i)
      places_.push_back(stretch * (i + random.uniform()));
  }
  /// The first place that is not before this one.
  std::size_t from(double cumulated) const {
    return static_cast<std::size_t>(std::lower_bound(places_.begin(), places_.end(), cumulated) -
                                    places_.begin());
  }
  bool is_before(std::size_t place, double cumulated) const {
    return place < places_.size() && places_[place] < cumulated;
  }

 private:
  double stretch_;
  std::size_t first_;
  std::vector<double> places_;
};

/// Own rows of a large share as they are; of the others a stratified sample, those at whose shares
/// a place lies. Weights are 2C times the share that a row stands for. Depends on nothing but the
/// shares of all ranks: a part's rows only on where it begins.
std::vector<WeightedRow> choose_rows(const HessianSample& sample, Context& context) {
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::vector<WeightedRow> chosen;
  const double stretch = sample.stretch;
  if (stretch == 0) {
    for (std::size_t i = 0; i < own.rows; ++i)
      if (const double share = sample.shares[i]; share > 0)
        chosen.push_back({own.first_row + i, 2 * sample.cost * share});
    return chosen;
  }
  const std::vector<double> before = shares_before_parts(sample, context);
  const Places places(stretch, before[own.first], before[own.end()]);
  for (std::size_t part = own.first; part < own.end(); ++part) {
    double seen = before[part];
    std::size_t place = places.from(seen);
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const double share = sample.shares[i - own.first_row];
      if (share >= stretch) {
        chosen.push_back({i, 2 * sample.cost * share});
        continue;
      }
      seen += share;
      double stands_for = 0;
      for (; places.is_before(place, seen); ++place) stands_for += stretch;
      if (stands_for > 0) chosen.push_back({i, 2 * sample.cost * stands_for});
    }
  }
  return chosen;
}

/// 2C times the weighted squares of each column, from all rows. Empty when a stop was requested.
std::vector<double> column_squares(const HessianSample& sample, Context& context) {
  if (context.stop_requested() != StopReason::none) return {};
  const std::size_t cols = sample.rows.cols();
  const RowParts parts(sample.rows.rows());
  const OwnParts own = own_of(sample, context);
  std::atomic<bool> complete{true};
  std::vector<double> total(dimension_of(sample));
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sum) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      if (context.stop_requested() != StopReason::none) {
        complete = false;
        return;
      }
      const std::size_t count = std::min(block_rows, end - first);
      const MatrixView x = sample.rows.view(first, count);
      for (std::size_t r = 0; r < count; ++r) {
        const float share = sample.shares[first + r - own.first_row];
        if (share == 0) continue;
        const float* values = x.row(r);
        for (std::size_t k = 0; k < x.size(r); ++k)
          sum[x.sparse() ? x.columns_of(r)[k] : k] +=
              double{share} * (double{values[k]} * double{values[k]});
        if (sample.bias != 0) sum[cols] += share * sample.bias * sample.bias;
      }
      sample.rows.release(first, count);
    }
  });
  if (!complete) return {};
  for (double& sum : total) sum *= 2 * sample.cost;
  return total;
}

/// Copies the lower triangle to the upper one, or back.
void mirror(Vectors<float>& m, bool back, Context& context) {
  constexpr std::size_t tile = 64;
  const std::size_t d = m.cols();
  context.parallel_for((d + tile - 1) / tile, [&](std::size_t block) {
    if (context.stop_requested() != StopReason::none) return;
    const std::size_t end = std::min(d, (block + 1) * tile);
    for (std::size_t first = 0; first <= block * tile; first += tile)
      for (std::size_t i = block * tile; i < end; ++i)
        for (std::size_t j = first; j < std::min(first + tile, i); ++j)
          (back ? m.row(i)[j] : m.row(j)[i]) = back ? m.row(j)[i] : m.row(i)[j];
  });
}

/// The Cholesky factor of a matrix with about a unit diagonal that is known to float32 precision
/// only: where that makes it indefinite, more is added to the diagonal. False when a stop was
/// requested.
bool factorise_raised(Vectors<float>& m, Context& context) {
  const std::size_t d = m.cols();
  std::vector<float> diagonal(d);
  for (std::size_t i = 0; i < d; ++i) diagonal[i] = m.row(i)[i];
  mirror(m, false, context);
  for (float raise = 1e-6F; raise < 1; raise *= 10) {
    for (std::size_t i = 0; i < d; ++i) m.row(i)[i] = diagonal[i] * (1 + raise);
    const numerics::Factorisation result = factorise(m, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
    mirror(m, true, context);
  }
  throw Error("the preconditioner cannot be factorized; set preconditioner: diagonal");
}

/// invert_factor(), each rank some of the columns, which all ranks get. False when a stop was
/// requested.
bool share_inverse(const Vectors<float>& factor, Vectors<float>& inverse, Context& context) {
  using numerics::factor_tile;
  Collectives& ranks = context.collectives();
  if (!invert_factor(factor, inverse, context, {ranks.rank(), ranks.ranks()})) return false;
  if (ranks.ranks() == 1) return true;
  const std::size_t d = inverse.cols();
  for (std::size_t first = 0; first < d; first += factor_tile) {
    const std::size_t width = std::min(factor_tile, d - first);
    const std::size_t owner = first / factor_tile % ranks.ranks();
    std::vector<float> columns((d - first) * width);
    for (std::size_t i = first; owner == ranks.rank() && i < d; ++i)
      std::copy_n(inverse.row(i) + first, width, &columns[(i - first) * width]);
    ranks.broadcast(owner, std::as_writable_bytes(std::span(columns)));
    for (std::size_t i = first; owner != ranks.rank() && i < d; ++i)
      std::copy_n(&columns[(i - first) * width], width, inverse.row(i) + first);
  }
  return context.stop_requested() == StopReason::none;
}

class CholeskyPreconditioner final : public Preconditioner {
 public:
  explicit CholeskyPreconditioner(Vectors<float> inverse) : inverse_(std::move(inverse)) {}

  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context& context) const override {
    const std::size_t d = inverse_.cols(), n = live.size();
    Vectors<float> v(n, d);
    for (std::size_t a = 0; a < n; ++a)
      std::transform(r.row(live[a]), r.row(live[a]) + d, v.row(a),
                     [](double x) { return static_cast<float>(x); });
    if (context.collectives().ranks() > 1) return apply_in_shares(v, live, out, context);
    std::vector<Vectors<float>> sums(block_count(d));
    context.parallel_for(sums.size(), [&](std::size_t block) {
      // Who asked for the product sees the stop request, too.
      sums[block] =
          context.stop_requested() == StopReason::none ? product(block, v) : Vectors<float>(n, 0);
    });
    for (std::size_t a = 0; a < n; ++a) {
      double* to = out.row(live[a]);
      std::fill_n(to, d, 0.0);
      for (const Vectors<float>& sum : sums)
        for (std::size_t j = 0; j < sum.cols(); ++j) to[j] += sum.row(a)[j];
    }
  }

 private:
  /// Some rows of a block, as many as stay in the cache.
  struct Group {
    std::vector<const float*> rows;
    std::size_t first;  ///< row
  };

  /// Calls f with the groups of a block, in order, and with the columns that the block has.
  template <class F>
  void for_groups(std::size_t block, std::size_t n, const F& f) const {
    const std::size_t end = std::min((block + 1) * block_rows, inverse_.cols());
    const std::size_t step = rows_in_cache(end, n);
    Group group;
    for (group.first = block * block_rows; group.first < end; group.first += step) {
      group.rows.clear();
      for (std::size_t i = group.first; i < std::min(end, group.first + step); ++i)
        group.rows.push_back(inverse_.row(i));
      f(group, end);
    }
  }

  /// B_block^T B_block v for the rows of a block; B is triangular.
  Vectors<float> product(std::size_t block, const Vectors<float>& v) const {
    const std::size_t n = v.count();
    Vectors<float> sum(n, std::min((block + 1) * block_rows, inverse_.cols()));
    std::vector<float> partial, z;
    for_groups(block, n, [&](const Group& group, std::size_t cols) {
      partial.resize(multiply_scratch(group.rows.size(), n));
      z.resize(group.rows.size() * n);
      const TallBlock part{group.rows.data(), group.rows.size(), cols};
      multiply(part, v.row(0), v.stride(), n, partial.data(), z.data());
      multiply_transposed(part, std::as_const(z).data(), n, sum.row(0), sum.stride());
    });
    return sum;
  }

  /// The same to the bit, each rank first some rows of B v, then some columns of B^T (B v).
  void apply_in_shares(const Vectors<float>& v, std::span<const std::size_t> live,
                       Vectors<double>& out, Context& context) const {
    const std::size_t d = inverse_.cols(), n = live.size();
    std::vector<float> z(d * n);
    share(z, context, [&](std::size_t block, float* to) {
      std::vector<float> partial;
      for_groups(block, n, [&](const Group& group, std::size_t cols) {
        partial.resize(multiply_scratch(group.rows.size(), n));
        multiply({group.rows.data(), group.rows.size(), cols}, v.row(0), v.stride(), n,
                 partial.data(), to);
        to += group.rows.size() * n;
      });
    });
    std::vector<double> columns(d * n);
    share(columns, context, [&](std::size_t block, double* to) { slice(block, z, n, to); });
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t a = 0; a < n; ++a) out.row(live[a])[j] = columns[j * n + a];
  }

  /// Columns of B^T z; `to` has n values a column.
  void slice(std::size_t columns, std::span<const float> z, std::size_t n, double* to) const {
    const std::size_t first = columns * block_rows;
    const std::size_t width = std::min(block_rows, inverse_.cols() - first);
    Vectors<float> sum(n, width);
    for (std::size_t block = columns; block < block_count(inverse_.cols()); ++block) {
      sum.fill(0);
      for_groups(block, n, [&](Group& group, std::size_t) {
        for (const float*& row : group.rows) row += first;
        multiply_transposed({group.rows.data(), group.rows.size(), width}, &z[group.first * n], n,
                            sum.row(0), sum.stride());
      });
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t j = 0; j < width; ++j) to[j * n + a] += double{sum.row(a)[j]};
    }
  }

  /// Fills `values`, as many for each column of B, in blocks of columns: f fills an own block. The
  /// blocks go round the ranks, since they differ in what they take. Collective.
  template <class T, class F>
  void share(std::vector<T>& values, Context& context, const F& f) const {
    Collectives& ranks = context.collectives();
    const std::size_t d = inverse_.cols(), each = values.size() / d, blocks = block_count(d);
    const auto size_of = [&](std::size_t block) {
      return std::min(block_rows, d - block * block_rows) * each;
    };
    const std::size_t own = (blocks + ranks.ranks() - 1 - ranks.rank()) / ranks.ranks();
    context.parallel_for(own, [&](std::size_t k) {
      const std::size_t block = ranks.rank() + k * ranks.ranks();
      if (context.stop_requested() == StopReason::none)
        f(block, &values[block * block_rows * each]);
    });
    std::vector<T> sent;
    for (std::size_t block = ranks.rank(); block < blocks; block += ranks.ranks()) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(block * block_rows * each);
      sent.insert(sent.end(), from, from + static_cast<std::ptrdiff_t>(size_of(block)));
    }
    const std::vector<T> all = ranks.gather(sent);
    const T* from = all.data();
    for (std::size_t rank = 0; rank < ranks.ranks(); ++rank)
      for (std::size_t block = rank; block < blocks; block += ranks.ranks()) {
        std::copy_n(from, size_of(block), &values[block * block_rows * each]);
        from += size_of(block);
      }
  }

  Vectors<float> inverse_;  // lower triangular B with M^-1 = B^T B
};

class DiagonalPreconditioner final : public Preconditioner {
 public:
  explicit DiagonalPreconditioner(std::vector<double> inverse) : inverse_(std::move(inverse)) {}
  void apply(const Vectors<double>& r, std::span<const std::size_t> live, Vectors<double>& out,
             Context&) const override {
    for (const std::size_t c : live)
      for (std::size_t j = 0; j < inverse_.size(); ++j) out.row(c)[j] = inverse_[j] * r.row(c)[j];
  }

 private:
  std::vector<double> inverse_;
};

}  // namespace

std::size_t cholesky_bytes(std::size_t dimension, std::size_t threads) noexcept {
  return 2 * cholesky_kept_bytes(dimension) +
         std::max(gram_bytes(dimension, sizeof(float)),
                  numerics::invert_factor_bytes(dimension, threads));
}

std::size_t cholesky_kept_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(float);
}

double cholesky_cost(double rows, std::size_t dimension) noexcept {
  const double d = static_cast<double>(dimension);
  return rows * d * d / 2 + d * d * d / 3;
}

std::unique_ptr<Preconditioner> cholesky_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  const std::size_t d = dimension_of(sample);
  const std::vector<double> squares = column_squares(sample, context);
  if (squares.empty()) return nullptr;
  // Scaled to a unit diagonal before it is factorised; the factor's columns afterwards.
  std::vector<double> scale(d);
  for (std::size_t i = 0; i < d; ++i) scale[i] = 1 / std::sqrt(1 + squares[i]);
  Vectors<float> m(d, d);
  if (!share_gram(sample.rows, choose_rows(sample, context), {sample.bias, scale}, m, context))
    return nullptr;
  // At least that of the sample, which keeps the sum positive semi-definite.
  for (std::size_t i = 0; i < d; ++i) {
    const double of_all = squares[i] * scale[i] * scale[i];
    m.row(i)[i] = static_cast<float>(std::max<double>(of_all, m.row(i)[i]) + scale[i] * scale[i]);
  }
  Vectors<float> inverse(d, d);
  if (!factorise_raised(m, context) || !share_inverse(m, inverse, context)) return nullptr;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) inverse.row(i)[j] *= static_cast<float>(scale[j]);
  return std::make_unique<CholeskyPreconditioner>(std::move(inverse));
}

std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context) {
  std::vector<double> inverse = column_squares(sample, context);
  if (inverse.empty()) return nullptr;
  for (double& x : inverse) x = 1 / (1 + x);
  return std::make_unique<DiagonalPreconditioner>(std::move(inverse));
}

}  // namespace semblance::solvers
