// SPDX-License-Identifier: MIT
#include "newton/newton_method.hpp"
#include "semblance/collectives.hpp"

namespace semblance::pairs {
namespace {

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(a.data(), b.data(), a.size());
}

/// multiple w + sum_A x_p Phi_p; where it has been completed, with its values at the pairs of A and
/// its inner product with w.
struct Combination {
  double multiple = 0;
  std::vector<double> x, values = {};
  double with_w = 0;

  bool complete() const noexcept { return values.size() == x.size(); }
};

/// Functions w = sum gamma_p Phi_p by their coefficients and values.
class Coefficients {
 public:
  using Slack = double;
  using Vector = Combination;

  Coefficients(PairMatrix& matrix, const PairTable& table, const PairShares& shares,
               const NewtonOptions& options, Context& context)
      : coefficients(table.size()),
        matrix_(matrix),
        table_(table),
        shares_(shares),
        options_(options),
        context_(context),
        f_(coefficients.size()),
        change_(coefficients.size()) {}

  bool begin_values() { return !stopped(); }
  void values(std::size_t block, double* f) const { copy(f_, block, f); }
  double square() { return square_ = inner(coefficients, f_); }

  void begin_sums(const PairTable& active, double weight) {
    active_table_ = &active;
    active_weight_ = weight;
    active_.resize(active.size());
    for (auto* values : {&residual_, &weights_, &w_values_}) values->resize(active.size());
  }
  void add(std::size_t block, std::span<const double> slacks,
           const std::vector<double>& coefficients, const std::vector<double>& weights);
  bool end_sums(Vector& gradient);
  double distance_square(const Vector&) const { return residual_square_; }

  double dot(const Vector& a, const Vector& b) const {
    return inner(b.x, a.values) + b.multiple * a.with_w;
  }
  double norm(const Vector& v) const { return std::sqrt(std::max(0.0, dot(v, v))); }
  void add(double factor, const Vector& from, Vector& to) const {
    to.multiple += factor * from.multiple;
    add_scaled(factor, from.x.data(), to.x.data(), to.x.size());
    to.values.clear();
  }
  void combine(const Vector& z, double factor, Vector& p) const {
    p.multiple = z.multiple + factor * p.multiple;
    p.with_w = z.with_w + factor * p.with_w;
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      p.x[i] = z.x[i] + factor * p.x[i];
      p.values[i] = z.values[i] + factor * p.values[i];
    }
  }
  Vector begin_direction(const Vector& gradient, Vector& direction) const {
    direction = {0, std::vector<double>(active_.size())};
    Vector residual{-gradient.multiple, residual_, gradient.values, -gradient.with_w};
    for (double& value : residual.values) value = -value;
    return residual;
  }
  bool precondition(Vector& residual, Vector& z);
  bool multiply(const Vector& p, Vector& image) const;
  std::size_t products() const noexcept { return products_; }

  bool begin_steps(const Vector& direction, double& mean);
  void steps(std::size_t block, double* out) const { copy(change_, block, out); }
  Slopes line(const Vector& direction) const {
    const double with_w = inner(direction.x, w_values_), multiple = direction.multiple;
    double square = 2 * multiple * with_w + multiple * multiple * square_;
    for (std::size_t k = 0; k < active_.size(); ++k)
      square += direction.x[k] * (change_[active_[k]] - multiple * w_values_[k]);
    return {with_w + multiple * square_, square};
  }
  void move(double t, const Vector& direction);

  std::vector<double> coefficients;

 private:
  void copy(const std::vector<double>& from, std::size_t block, double* to) const {
    const std::size_t first = table_.start(shares_.first(block));
    std::copy_n(from.data() + first, table_.start(shares_.end(block)) - first, to);
  }
  /// All ranks learn of a request here and nowhere else.
  bool stopped() const {
    if (context_.collectives().ranks() > 1) context_.collectives().any(false);
    return context_.stop_requested() != StopReason::none;
  }

  PairMatrix& matrix_;
  const PairTable& table_;
  const PairShares& shares_;
  const NewtonOptions& options_;
  Context& context_;
  std::vector<double> f_, change_;  // <w, Phi_p>, and <step, Phi_p>
  const PairTable* active_table_ = nullptr;
  std::vector<std::uint32_t> active_;  // A: the pairs with a loss
  std::vector<double> w_values_;       // f of A
  std::vector<double> weights_;        // u of A
  double active_weight_ = 0;
  std::vector<double> residual_;  // 2C u y slack of A: the gradient is w - sum_A residual Phi
  double residual_square_ = 0;    // |sum_A residual Phi|^2
  double square_ = 0;             // |w|^2
  std::size_t products_ = 0;
};

void Coefficients::add(std::size_t block, std::span<const double> slacks,
                       const std::vector<double>& coefficients,
                       const std::vector<double>& weights) {
  const std::size_t from = table_.start(shares_.first(block));
  const std::size_t first = active_table_->start(shares_.first(block));
  for (std::size_t p = 0, k = 0; p < slacks.size(); ++p) {
    if (!(slacks[p] > 0)) continue;
    active_[first + k] = static_cast<std::uint32_t>(from + p);
    w_values_[first + k] = f_[from + p];
    residual_[first + k] = 2 * options_.cost * coefficients[k];
    weights_[first + k] = weights[k];
    ++k;
  }
}

bool Coefficients::end_sums(Vector& gradient) {
  matrix_.choose(active_);
  std::fill(change_.begin(), change_.end(), 0.0);
  if (!matrix_.add(active_, residual_, change_, context_)) return false;
  gradient = {1, residual_, std::vector<double>(active_.size()), square_};
  residual_square_ = 0;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const double value = change_[active_[k]];
    residual_square_ += residual_[k] * value;
    gradient.x[k] = -residual_[k];
    gradient.values[k] = w_values_[k] - value;
  }
  gradient.with_w -= inner(residual_, w_values_);
  return !stopped();
}

/// There is no preconditioner: z is the residual, completed.
bool Coefficients::precondition(Vector& residual, Vector& z) {
  if (!residual.complete()) {
    matrix_.multiply(residual.x, residual.values, context_);
    if (stopped()) return false;
    ++products_;
    add_scaled(residual.multiple, w_values_.data(), residual.values.data(), active_.size());
    residual.with_w = inner(residual.x, w_values_) + residual.multiple * square_;
  }
  z = residual;
  return true;
}

/// image = H p with H = I + 2C sum_A u (Phi - mean)(Phi - mean)'.
bool Coefficients::multiply(const Vector& p, Vector& image) const {
  double mean = 0;
  for (std::size_t i = 0; i < active_.size(); ++i)
    mean += weights_[i] * p.values[i] / active_weight_;
  image = {p.multiple, p.x};
  for (std::size_t i = 0; i < active_.size(); ++i)
    image.x[i] += 2 * options_.cost * (weights_[i] * (p.values[i] - mean));
  return true;
}

bool Coefficients::begin_steps(const Vector& direction, double& mean) {
  std::fill(change_.begin(), change_.end(), 0.0);
  if (!matrix_.add(active_, direction.x, change_, context_)) return false;
  for (std::size_t p = 0; p < f_.size(); ++p) change_[p] += direction.multiple * f_[p];
  for (std::size_t k = 0; k < active_.size(); ++k)
    mean += weights_[k] * change_[active_[k]] / active_weight_;
  return !stopped();
}

void Coefficients::move(double t, const Vector& direction) {
  for (std::size_t p = 0; p < f_.size(); ++p) {
    f_[p] += t * change_[p];
    coefficients[p] *= 1 + t * direction.multiple;
  }
  for (std::size_t k = 0; k < active_.size(); ++k) coefficients[active_[k]] += t * direction.x[k];
}

}  // namespace

NewtonSolution minimise_by_pairs(PairMatrix& matrix, const LabelledPairs& pairs,
                                 const NewtonOptions& options, Context& context) {
  const PairShares shares(pairs.table.examples());
  Coefficients space(matrix, pairs.table, shares, options, context);
  NewtonSolution solution = Newton<Coefficients>(space, pairs, shares, options, context).run();
  solution.coefficients = std::move(space.coefficients);
  return solution;
}

}  // namespace semblance::pairs
