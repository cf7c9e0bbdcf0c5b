// SPDX-License-Identifier: MIT
#include "descent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "batch_rows.hpp"
#include "model_share.hpp"
#include "panel_update.hpp"
#include "panels.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

/// Multiply-adds of a batch below which tasks cost more than they gain.
constexpr std::size_t work_to_share = std::size_t{1} << 21;
/// The scalar in front of W is multiplied in before it gets smaller: updates are divided by it, and
/// the average is a difference of terms so much larger.
constexpr double smallest_scale = 1e-2;

/// A change of one class's models by a sample: rows += factors * x.
struct Update {
  std::size_t position;  // in the batch
  std::size_t label;
  const float* factors;  // one a model
  double before;         // sum of the scales before it, for the average
};

double squared_norm(std::span<const float> x) {
  double sum = 0;
  for (const float v : x) sum += double{v} * double{v};
  return sum;
}

}  // namespace

class Descent::Worker {
 public:
  Worker(const Problem& problem, const DescentOptions& options, Weighting& weighting,
         ModelMatrix& w, ModelMatrix* average, const Surroundings& surroundings)
      : problem_(problem),
        options_(options),
        weighting_(weighting),
        w_(w),
        average_(average),
        surroundings_(surroundings),
        share_(w.rows(), w.cols(), surroundings.ranks()),
        rows_(problem, weighting, options.batch, surroundings),
        z_(options.batch, problem.model_rows()),
        gram_(options.batch, options.batch),
        factors_(2 * options.batch, problem.models),
        by_class_(problem.classes),
        v_(w, share_.first(), share_.rows()),
        squared_norm_(w.squared_norm()) {
    for (auto& x : x_) x = ModelMatrix(options.batch, problem.inputs());
    if (average_ == nullptr) return;
    sums_.emplace(ModelMatrix(w.rows(), w.cols()), share_.first(), share_.rows());
  }

  std::size_t run(std::span<const std::uint32_t> order, std::size_t first, std::size_t end) {
    rows_.forget();
    while (first < end && !surroundings_.stop()) {
      const std::size_t count = std::min(options_.batch, order.size() - first);
      rows_.reach(order, first, count);
      weighting_.prepare(order.subspan(first, count));
      take(first, count);
      update_and_multiply(count);
      first += walk(order, first, count);
      if (scale_ < smallest_scale) multiply_scale_in();
    }
    return first;
  }

  DescentState state() {
    update_and_multiply(0);
    DescentState state{
        ModelMatrix(w_.rows(), w_.cols()), {}, scale_, scales_, squared_norm_, outcome_};
    collect(v_, state.v);
    if (!sums_) return state;
    state.sums = ModelMatrix(w_.rows(), w_.cols());
    collect(*sums_, state.sums);
    return state;
  }

  void go_on(const DescentState& state) {
    v_ = Panels(state.v, share_.first(), share_.rows());
    if (sums_) sums_.emplace(state.sums, share_.first(), share_.rows());
    scale_ = state.scale;
    scales_ = state.scales;
    squared_norm_ = state.squared_norm;
    outcome_ = state.outcome;
  }

  DescentOutcome finish() {
    update_and_multiply(0);
    if (sums_ && outcome_.steps > 0) take_average();
    sums_.reset();
    multiply_scale_in();
    collect(v_, w_);
    return outcome_;
  }

 private:
  ModelMatrix& x() { return x_[turn_]; }

  void take(std::size_t first, std::size_t count) {
    turn_ = 1 - turn_;
    for (std::size_t i = 0; i < count; ++i)
      copy_with_bias(rows_.row(first + i), problem_.rows.cols, problem_.bias, x().row(i));
    const MatrixView batch = x().view().rows_range(0, count);
    left_.emplace(batch);
    numerics::multiply(*left_, numerics::PackedRows(batch),
                       gram_.view().rows_range(0, count).cols_range(0, count));
  }

  /// Applies what the last batch left, then multiplies with the next one, rows of W by rows: so
  /// they come from memory once a batch.
  void update_and_multiply(std::size_t count) {
    const auto work = [&](std::size_t chunk) {
      apply_updates(chunk);
      numerics::PackedRows& models = v_.chunk(chunk);
      if (count > 0)
        numerics::multiply(
            *left_, models,
            z_.view().rows_range(0, count).cols_range(v_.first_row(chunk), models.rows()));
    };
    if (share_.rows() * w_.cols() * std::max<std::size_t>(count, 1) >= work_to_share)
      surroundings_.parallel_for(v_.chunks(), work);
    else
      for (std::size_t chunk = 0; chunk < v_.chunks(); ++chunk) work(chunk);
    for (const Update& u : updates_) by_class_[u.label].clear();
    updates_.clear();
    updated_ = turn_;
    if (count > 0) share_.gather_columns(z_.view().rows_range(0, count));
  }

  void collect(const Panels& own, ModelMatrix& w) {
    own.copy_to(w);
    share_.gather_rows(w);
  }

  void apply_updates(std::size_t chunk) {
    if (updates_.empty()) return;
    numerics::PackedRows& models = v_.chunk(chunk);
    const std::size_t width = models.width(), m = problem_.models;
    std::vector<const float*> vectors;
    numerics::AlignedBuffer factors(2 * updates_.size() * width);
    for (std::size_t p = 0; p < models.panels(); ++p) {
      const std::size_t first = v_.first_row(chunk) + p * width;
      const std::size_t end = std::min(first + width, v_.end_row());
      float* next = factors.data();
      vectors.clear();
      for (std::size_t y = first / m; y * m < end; ++y)
        for (const Update& u : by_class_[y]) {
          vectors.push_back(x_[updated_].row(u.position));
          for (std::size_t r = first; r < first + width; ++r)
            *next++ = r < end && r / m == y ? u.factors[r % m] : 0;
        }
      update_panel(vectors.data(), factors.data(), vectors.size(), w_.cols(), models.panel(p));
      if (sums_) update_sums(chunk, p, vectors, factors.data());
    }
  }

  /// The same for the sums of the average, with factors times the scales before the updates.
  void update_sums(std::size_t chunk, std::size_t p, const std::vector<const float*>& vectors,
                   float* factors) {
    numerics::PackedRows& sums = sums_->chunk(chunk);
    const std::size_t first = sums_->first_row(chunk) + p * sums.width(), m = problem_.models;
    const std::size_t end = std::min(first + sums.width(), sums_->end_row());
    float* next = factors;
    for (std::size_t y = first / m; y * m < end; ++y)
      for (const Update& u : by_class_[y])
        for (std::size_t l = 0; l < sums.width(); ++l, ++next)
          *next = static_cast<float>(double{*next} * u.before);
    update_panel(vectors.data(), factors, vectors.size(), w_.cols(), sums.panel(p));
  }

  /// The steps of a batch, one after the other. Returns how many it took.
  std::size_t walk(std::span<const std::uint32_t> order, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<float> z(z_.row(i), w_.rows());
      correct(i, z);
      step({order[first + i], i, rows_.values(first + i)}, z);
      if (scale_ < smallest_scale) return i + 1;
    }
    return count;
  }

  /// From the products with W before the batch to those with the present W.
  void correct(std::size_t position, std::span<float> z) const {
    const std::size_t m = problem_.models;
    for (const Update& u : updates_) {
      const float product = gram_.row(position)[u.position];
      float* part = z.data() + u.label * m;
      for (std::size_t j = 0; j < m; ++j) part[j] += product * u.factors[j];
    }
    const float scale = static_cast<float>(scale_);
    for (float& value : z) value *= scale;
  }

  void step(const Sample& sample, std::span<const float> z) {
    const std::size_t position = sample.position;
    const std::span<float> own(factors_.row(2 * position), problem_.models);
    const std::span<float> rival(factors_.row(2 * position + 1), problem_.models);
    const Judgement judged = weighting_.judge(sample, z, own, rival);
    ++outcome_.steps;
    outcome_.errors += judged.own_score <= judged.rival_score;
    const double weight = problem_.weight(sample.number);
    outcome_.losses +=
        weight * std::max(0.0, 1 + double{judged.rival_score} - double{judged.own_score});

    const double moment = double(outcome_.steps) + options_.s0;
    const double shrink = 1 - 1 / moment;
    scale_ *= shrink;
    squared_norm_ *= shrink * shrink;
    const double gain = double{judged.own_linear} - double{judged.rival_score};
    if (1 - gain > 0 && weight > 0) {
      const double eta = weight / (options_.lambda * moment);
      const double length = double{gram_.row(position)[position]};
      squared_norm_ +=
          2 * shrink * eta * gain + eta * eta * (squared_norm(own) + squared_norm(rival)) * length;
      const auto label = static_cast<std::size_t>(problem_.labels[sample.number]);
      add_update(position, label, own, eta / scale_);
      add_update(position, judged.rival, rival, -eta / scale_);
      ++outcome_.updates;
    }
    project();
    scales_ += scale_;
  }

  void add_update(std::size_t position, std::size_t label, std::span<float> factors,
                  double factor) {
    for (float& f : factors) f = static_cast<float>(double{f} * factor);
    updates_.push_back({position, label, factors.data(), scales_});
    by_class_[label].push_back(updates_.back());
  }

  void project() {
    squared_norm_ = std::max(squared_norm_, 0.0);
    if (squared_norm_ <= options_.radius * options_.radius) return;
    scale_ *= options_.radius / std::sqrt(squared_norm_);
    squared_norm_ = options_.radius * options_.radius;
    ++outcome_.projections;
  }

  /// With W_s = a_s V_s and V_s = V_S - (D_(s+1) + ... + D_S) for the updates D, the sum of all
  /// iterates is (a_1 + ... + a_S) V_S - sum (a_1 + ... + a_(s-1)) D_s; sums_ holds the latter,
  /// less what was summed before the scale was last multiplied in.
  void take_average() {
    const double steps = double(outcome_.steps);
    v_.for_each(*sums_, [&](float& v, float& sum) {
      sum = static_cast<float>((scales_ * double{v} - double{sum}) / steps);
    });
    *average_ = ModelMatrix(w_.rows(), w_.cols());
    collect(*sums_, *average_);
  }

  void multiply_scale_in() {
    update_and_multiply(0);
    if (scale_ == 1) return;
    const float scale = static_cast<float>(scale_);
    if (sums_)
      v_.for_each(*sums_,
                  [&](float& v, float& sum) { sum -= static_cast<float>(scales_ * double{v}); });
    v_.for_each(v_, [&](float& v, float&) { v *= scale; });
    scale_ = 1;
    scales_ = 0;
  }

  const Problem& problem_;
  const DescentOptions options_;
  Weighting& weighting_;
  ModelMatrix& w_;
  ModelMatrix* average_;
  const Surroundings& surroundings_;

  ModelShare share_;  // of this rank
  BatchRows rows_;
  std::array<ModelMatrix, 2> x_;  // the samples of this batch and of the last one, in turn
  std::size_t turn_ = 0;
  std::size_t updated_ = 0;                 // whose samples the updates are of
  ModelMatrix z_;                           // products of the batch's samples with all models
  std::optional<numerics::LeftRows> left_;  // this batch
  ModelMatrix gram_;                        // and with each other
  ModelMatrix factors_;                     // two rows a sample: of its own class and of the rival
  std::vector<Update> updates_;
  std::vector<std::vector<Update>> by_class_;

  Panels v_;                    // the own rows of V, of W = a V
  std::optional<Panels> sums_;  // for the average

  double scale_ = 1;   // a
  double scales_ = 0;  // a_1 + ... + a_s
  double squared_norm_;
  DescentOutcome outcome_;
};

Descent::Descent(const Problem& problem, const DescentOptions& options, Weighting& weighting,
                 ModelMatrix& w, ModelMatrix* average, const Surroundings& surroundings)
    : worker_(std::make_unique<Worker>(problem, options, weighting, w, average, surroundings)) {}

Descent::~Descent() = default;

bool Descent::run(std::span<const std::uint32_t> order) {
  return worker_->run(order, 0, order.size()) == order.size();
}

std::size_t Descent::run(std::span<const std::uint32_t> order, std::size_t first, std::size_t end) {
  return worker_->run(order, first, end);
}

DescentState Descent::state() { return worker_->state(); }

void Descent::go_on(const DescentState& state) { worker_->go_on(state); }

DescentOutcome Descent::finish() { return worker_->finish(); }

}  // namespace semblance::ml3
