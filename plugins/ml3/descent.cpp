// SPDX-License-Identifier: MIT
#include "descent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "add_rows.hpp"
#include "numerics/product.hpp"

namespace semblance::ml3 {
namespace {

/// Rows of W that one task works on: with 785 values 200 kB, which fit L2 beside the samples.
constexpr std::size_t chunk_rows = 64;
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
        z_(options.batch, problem.model_rows()),
        gram_(options.batch, options.batch),
        factors_(2 * options.batch, problem.models),
        by_class_(problem.classes),
        squared_norm_(w.squared_norm()) {
    for (auto& x : x_) x = ModelMatrix(options.batch, problem.inputs());
    if (average_ != nullptr) *average_ = ModelMatrix(w.rows(), w.cols());
  }

  bool run(std::span<const std::uint32_t> order) {
    for (std::size_t first = 0; first < order.size();) {
      if (surroundings_.stop()) return false;
      const auto samples = order.subspan(first, std::min(options_.batch, order.size() - first));
      weighting_.prepare(samples);
      gather(samples);
      update_and_multiply(samples.size());
      first += walk(samples);
      if (scale_ < smallest_scale) multiply_scale_in();
    }
    return true;
  }

  DescentOutcome finish() {
    update_and_multiply(0);
    if (average_ != nullptr && outcome_.steps > 0) take_average();
    average_ = nullptr;
    multiply_scale_in();
    return outcome_;
  }

 private:
  ModelMatrix& x() { return x_[turn_]; }

  void gather(std::span<const std::uint32_t> samples) {
    turn_ = 1 - turn_;
    for (std::size_t i = 0; i < samples.size(); ++i)
      copy_with_bias(problem_.rows.row(samples[i]), problem_.rows.cols, problem_.bias, x().row(i));
    const MatrixView batch = x().view().rows_range(0, samples.size());
    numerics::multiply(batch, numerics::PackedRows(batch),
                       gram_.view().rows_range(0, samples.size()).cols_range(0, samples.size()));
  }

  /// Applies what the last batch left, then multiplies with the next one, rows of W by rows: so
  /// they come from memory once a batch.
  void update_and_multiply(std::size_t count) {
    const MatrixView batch = x().view().rows_range(0, count);
    const std::size_t chunks = (w_.rows() + chunk_rows - 1) / chunk_rows;
    const auto work = [&](std::size_t chunk) {
      const std::size_t first = chunk * chunk_rows;
      const std::size_t rows = std::min(chunk_rows, w_.rows() - first);
      apply_updates(first, rows);
      if (count > 0)
        numerics::multiply(batch, numerics::PackedRows(w_.view().rows_range(first, rows)),
                           z_.view().rows_range(0, count).cols_range(first, rows));
    };
    if (w_.rows() * w_.cols() * std::max<std::size_t>(count, 1) >= work_to_share)
      surroundings_.parallel_for(chunks, work);
    else
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
    for (const Update& u : updates_) by_class_[u.label].clear();
    updates_.clear();
    updated_ = turn_;
  }

  void apply_updates(std::size_t first, std::size_t rows) {
    if (updates_.empty()) return;
    std::vector<const float*> vectors;
    std::vector<float> factors, for_average;
    for (std::size_t r = first; r < first + rows; ++r) {
      vectors.clear(), factors.clear(), for_average.clear();
      for (const Update& u : by_class_[r / problem_.models]) {
        const float factor = u.factors[r % problem_.models];
        if (factor == 0) continue;
        vectors.push_back(x_[updated_].row(u.position));
        factors.push_back(factor);
        if (average_ != nullptr)
          for_average.push_back(static_cast<float>(double{factor} * u.before));
      }
      add_rows(vectors.data(), factors.data(), vectors.size(), w_.stride(), w_.row(r));
      if (average_ != nullptr)
        add_rows(vectors.data(), for_average.data(), vectors.size(), w_.stride(), average_->row(r));
    }
  }

  /// The steps of a batch, one after the other. Returns how many it took.
  std::size_t walk(std::span<const std::uint32_t> samples) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::span<float> z(z_.row(i), w_.rows());
      correct(i, z);
      step(i, samples[i], z);
      if (scale_ < smallest_scale) return i + 1;
    }
    return samples.size();
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

  void step(std::size_t position, std::size_t sample, std::span<const float> z) {
    const std::span<float> own(factors_.row(2 * position), problem_.models);
    const std::span<float> rival(factors_.row(2 * position + 1), problem_.models);
    const Judgement judged = weighting_.judge(sample, position, z, own, rival);
    ++outcome_.steps;
    outcome_.errors += judged.own_score <= judged.rival_score;
    outcome_.losses += std::max(0.0, 1 + double{judged.rival_score} - double{judged.own_score});

    const double moment = double(outcome_.steps) + options_.s0;
    const double shrink = 1 - 1 / moment;
    scale_ *= shrink;
    squared_norm_ *= shrink * shrink;
    const double gain = double{judged.own_linear} - double{judged.rival_score};
    if (1 - gain > 0) {
      const double eta = 1 / (options_.lambda * moment);
      const double length = double{gram_.row(position)[position]};
      squared_norm_ +=
          2 * shrink * eta * gain + eta * eta * (squared_norm(own) + squared_norm(rival)) * length;
      const auto label = static_cast<std::size_t>(problem_.labels[sample]);
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
  /// iterates is (a_1 + ... + a_S) V_S - sum (a_1 + ... + a_(s-1)) D_s; *average_ holds the latter,
  /// less what was summed before the scale was last multiplied in.
  void take_average() {
    const double steps = double(outcome_.steps);
    for (std::size_t r = 0; r < w_.rows(); ++r)
      for (std::size_t k = 0; k < w_.stride(); ++k) {
        float& value = average_->row(r)[k];
        value = static_cast<float>((scales_ * double{w_.row(r)[k]} - double{value}) / steps);
      }
  }

  void multiply_scale_in() {
    update_and_multiply(0);
    if (scale_ == 1) return;
    const float scale = static_cast<float>(scale_);
    for (std::size_t r = 0; r < w_.rows(); ++r)
      for (std::size_t k = 0; k < w_.stride(); ++k) {
        float& value = w_.row(r)[k];
        if (average_ != nullptr) average_->row(r)[k] -= static_cast<float>(scales_ * double{value});
        value *= scale;
      }
    scale_ = 1;
    scales_ = 0;
  }

  const Problem& problem_;
  const DescentOptions options_;
  Weighting& weighting_;
  ModelMatrix& w_;
  ModelMatrix* average_;
  const Surroundings& surroundings_;

  std::array<ModelMatrix, 2> x_;  // the samples of this batch and of the last one, in turn
  std::size_t turn_ = 0;
  std::size_t updated_ = 0;  // whose samples the updates are of
  ModelMatrix z_;            // products of the batch's samples with all models
  ModelMatrix gram_;         // and with each other
  ModelMatrix factors_;      // two rows a sample: of its own class and of the rival
  std::vector<Update> updates_;
  std::vector<std::vector<Update>> by_class_;

  double scale_ = 1;   // a: W = a V, and w_ holds V
  double scales_ = 0;  // a_1 + ... + a_s
  double squared_norm_;
  DescentOutcome outcome_;
};

Descent::Descent(const Problem& problem, const DescentOptions& options, Weighting& weighting,
                 ModelMatrix& w, ModelMatrix* average, const Surroundings& surroundings)
    : worker_(std::make_unique<Worker>(problem, options, weighting, w, average, surroundings)) {}

Descent::~Descent() = default;

bool Descent::run(std::span<const std::uint32_t> order) { return worker_->run(order); }

DescentOutcome Descent::finish() { return worker_->finish(); }

}  // namespace semblance::ml3
