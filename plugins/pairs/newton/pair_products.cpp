// SPDX-License-Identifier: MIT
#include "newton/pair_products.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "newton/products.hpp"

namespace semblance::pairs {
namespace {

// A dense product is worthwhile if at least one in this number of values is needed.
constexpr std::size_t sparseness = 10;

}  // namespace

template <class T>
PairProducts<T>::PairProducts(const PairSpace& space, const PairShares& shares, Context& context)
    : space_(space),
      shares_(shares),
      context_(context),
      n_(space.examples()),
      parts_(space.parts().size()),
      own_(n_),
      degrees_(n_) {
  use_one_blas_thread();
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    const std::size_t m = space.parts()[t].factor->cols;
    parts_[t].products.resize(shares.own_rows() * m);
  }
}

template <class T>
const T* PairProducts<T>::z(std::size_t part, std::size_t row) const noexcept {
  const Factor& f = *space_.parts()[part].factor;
  if constexpr (std::is_same_v<T, float>)
    return f.singles.data() + row * f.cols;
  else
    return f.values.data() + row * f.cols;
}

template <class T>
bool PairProducts<T>::run(const std::function<void(std::size_t)>& body) {
  context_.parallel_for(shares_.own().size(), [&](std::size_t k) {
    if (context_.stop_requested() == StopReason::none) body(shares_.own()[k]);
  });
  return context_.stop_requested() == StopReason::none;
}

template <class T>
bool PairProducts<T>::set_point(const std::vector<double>& w) {
  std::vector<QuadraticForm> forms;
  for (std::size_t t = 0; t < parts_.size(); ++t) forms.push_back(space_.form(t, w));
  return set_forms(forms);
}

template <class T>
bool PairProducts<T>::set_forms(const std::vector<QuadraticForm>& forms) {
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    const QuadraticForm& form = forms[t];
    const FormPart& part = space_.parts()[t];
    parts_[t].cross.assign(form.cross.begin(), form.cross.end());
    parts_[t].linear.assign(form.linear.begin(), form.linear.end());
    // K_ML alone has A = -V, D = V / 2.
    const bool half = part.metric() && !part.tensor();
    parts_[t].own_form.assign(form.own.begin(), half ? form.own.begin() : form.own.end());
    parts_[t].own_factor = half ? T(-0.5) : T(0);
  }
  if (!run([&](std::size_t b) { compute_products(b); })) return false;
  if (std::ranges::any_of(parts_, &Part::has_own))
    shares_.template spread<T>([&](std::size_t b) { return own_.data() + shares_.first(b); }, 1,
                               own_.data(), context_);
  return context_.stop_requested() == StopReason::none;
}

template <class T>
void PairProducts<T>::compute_products(std::size_t b) {
  const std::size_t from = shares_.first(b), count = shares_.end(b) - from;
  std::fill_n(own_.data() + from, count, T(0));
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    Part& part = parts_[t];
    const std::size_t m = columns(t);
    T* const to = part.products.data() + shares_.own_row(b) * m;
    if (!part.own_form.empty()) {
      multiply(CblasNoTrans, CblasNoTrans, {count, m, m}, z(t, from), m, part.own_form.data(), m,
               to, m);
      for (std::size_t i = 0; i < count; ++i) own_[from + i] += dot(to + i * m, z(t, from + i), m);
    }
    if (!part.cross.empty())
      multiply(CblasNoTrans, CblasNoTrans, {count, m, m}, z(t, from), m, part.cross.data(), m, to,
               m);
    for (std::size_t i = 0; i < count; ++i) {
      if (part.own_factor != 0)
        own_[from + i] += part.own_factor * dot(to + i * m, z(t, from + i), m);
      if (!part.linear.empty()) own_[from + i] += dot(part.linear.data(), z(t, from + i), m);
    }
  }
}

template <class T>
bool PairProducts<T>::dense(std::size_t b, const PairTable& table) const noexcept {
  const std::size_t from = shares_.first(b), to = shares_.end(b);
  const std::size_t pairs = table.start(to) - table.start(from);
  return pairs * sparseness > (to - from) * (n_ - from);
}

template <class T>
void PairProducts<T>::values(std::size_t b, const PairTable& table, T* out) const {
  values(b, table, dense(b, table), out);
}

template <class T>
void PairProducts<T>::values(std::size_t b, const PairTable& table, bool whole, T* out) const {
  const std::size_t from = shares_.first(b), to = shares_.end(b), others = n_ - from,
                    start = table.start(from), own_row = shares_.own_row(b);
  std::vector<T> f(whole ? (to - from) * others : 0), all(f.size());
  for (std::size_t t = 0; whole && t < parts_.size(); ++t) {
    const std::size_t m = columns(t);
    if (parts_[t].cross.empty()) continue;
    multiply(CblasNoTrans, CblasTrans, {to - from, others, m},
             parts_[t].products.data() + own_row * m, m, z(t, from), m, f.data(), others);
    for (std::size_t k = 0; k < f.size(); ++k) all[k] += f[k];
  }
  for (std::size_t i = from; i < to; ++i)
    for (std::size_t p = table.start(i); p < table.start(i + 1); ++p) {
      const std::size_t j = table.other(i, p);
      T value = own_[i] + own_[j];
      if (whole) value += all[(i - from) * others + (j - from)];
      for (std::size_t t = 0; !whole && t < parts_.size(); ++t) {
        const std::size_t m = columns(t);
        if (!parts_[t].cross.empty())
          value += dot(parts_[t].products.data() + (own_row + i - from) * m, z(t, j), m);
      }
      out[p - start] = value;
    }
}

template <class T>
void PairProducts<T>::begin_sum(bool degrees) {
  sums_degrees_ = degrees || std::ranges::any_of(space_.parts(), [](const FormPart& part) {
                    return part.metric() || part.direct();
                  });
  for (Part& part : parts_) part.sums.assign(part.products.size(), T(0));
  partials_.assign(shares_.own().size() * n_, 0);
}

template <class T>
void PairProducts<T>::add(std::size_t b, const PairTable& table, const T* coefficients) {
  const std::size_t from = shares_.first(b), to = shares_.end(b), others = n_ - from,
                    start = table.start(from), own_row = shares_.own_row(b);
  double* const degrees = partials_.data() + shares_.index(b) * n_;
  const bool whole = dense(b, table);
  std::vector<T> c(whole ? (to - from) * others : 0);
  for (std::size_t i = from; i < to; ++i)
    for (std::size_t p = table.start(i); p < table.start(i + 1); ++p) {
      const std::size_t j = table.other(i, p);
      const T value = coefficients[p - start];
      degrees[i] += static_cast<double>(value);
      degrees[j] += static_cast<double>(value);
      if (whole) c[(i - from) * others + (j - from)] = value;
      for (std::size_t t = 0; !whole && t < parts_.size(); ++t) {
        const std::size_t m = columns(t);
        add_scaled(value, z(t, j), parts_[t].sums.data() + (own_row + i - from) * m, m);
      }
    }
  for (std::size_t t = 0; whole && t < parts_.size(); ++t) {
    const std::size_t m = columns(t);
    multiply(CblasNoTrans, CblasNoTrans, {to - from, m, others}, c.data(), others, z(t, from), m,
             parts_[t].sums.data() + own_row * m, m);
  }
}

/// All of E: in place, or in `room`.
template <class T>
const T* PairProducts<T>::all_sums(std::size_t t, std::vector<T>& room) {
  if (shares_.ranks() == 1) return parts_[t].sums.data();
  const std::size_t m = columns(t);
  room.resize(n_ * m);
  shares_.template spread<T>(
      [&](std::size_t b) { return parts_[t].sums.data() + shares_.own_row(b) * m; }, m, room.data(),
      context_);
  return room.data();
}

template <class T>
bool PairProducts<T>::transposed_product(std::size_t t, const T* right, std::vector<T>& out) {
  // Rows of the result in tiles, each one product.
  const std::size_t m = columns(t);
  out.resize(m * m);
  PairShares::even(m, shares_.ranks() == 1 ? only_rank() : context_.collectives())
      .compute_rows(out.data(), m, context_, [&](std::size_t from, std::size_t count) {
        multiply(CblasTrans, CblasNoTrans, {count, m, n_}, z(t, 0) + from, m, right, m,
                 out.data() + from * m, m);
      });
  return context_.stop_requested() == StopReason::none;
}

template <class T>
bool PairProducts<T>::end_sum(std::vector<double>& out) {
  if (sums_degrees_) shares_.add_up(partials_, degrees_, context_);
  out.assign(space_.dimension(), 0);
  std::vector<T> square, right;
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    const FormPart& part = space_.parts()[t];
    const std::size_t m = part.factor->cols;
    const PairSpace::Offsets& at = space_.offsets(t);
    const auto symmetric_part = [&](double factor, std::size_t offset) {
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j)
          out[offset + i * m + j] =
              factor / 2 *
              (static_cast<double>(square[i * m + j]) + static_cast<double>(square[j * m + i]));
    };
    const T* const sums = part.tensor() || part.metric() ? all_sums(t, right) : nullptr;
    if (part.tensor()) {  // sum c 1/2 (z_i z_j' + z_j z_i')
      if (!transposed_product(t, sums, square)) return false;
      symmetric_part(std::sqrt(part.weights.tensor_learning), at.tensor);
    }
    if (part.metric()) {  // sum c 1/2 (z_i - z_j)(z_i - z_j)' = Z'(1/2 diag(s) Z - E)
      right.resize(n_ * m);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t k = 0; k < m; ++k)
          right[i * m + k] = static_cast<T>(degrees_[i] / 2) * z(t, i)[k] - sums[i * m + k];
      if (!transposed_product(t, right.data(), square)) return false;
      symmetric_part(std::sqrt(part.weights.metric_learning), at.metric);
    }
    if (part.direct()) {  // sum c (z_i + z_j) / sqrt 2 = Z's / sqrt 2
      const double factor = std::sqrt(part.weights.symmetric_direct_sum / 2);
      for (std::size_t i = 0; i < n_; ++i)
        add_scaled(factor * degrees_[i], part.factor->values.data() + i * m, out.data() + at.direct,
                   m);
    }
  }
  return true;
}

template class PairProducts<float>;
template class PairProducts<double>;

}  // namespace semblance::pairs
