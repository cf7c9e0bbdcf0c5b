// SPDX-License-Identifier: MIT
#include "descent/descent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "descent/mini_batch.hpp"
#include "descent/updated_models.hpp"
#include "latent/class_kernels.hpp"
#include "semblance/error.hpp"

namespace semblance::ml3 {
namespace {

/// The scalar factor of W is multiplied in before it gets smaller than this: updates are divided by
/// it, and the average is a difference of terms that are larger by this factor.
constexpr double smallest_scale = 1e-2;

double squared_norm(std::span<const float> x) {
  std::array<double, 4> sums{};  // side by side
  for (std::size_t j = 0; j < x.size(); ++j) sums[j % 4] += double{x[j]} * double{x[j]};
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

std::size_t whole_panels(std::size_t rows) {
  const std::size_t width = numerics::tile_shape().width;
  return (rows + width - 1) / width * width;
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
        gram_(options.batch, whole_panels(options.batch)),
        room_(MiniBatchRows::room(problem, options.batch)),
        factors_(2 * options.batch, problem.models),
        updates_(problem.classes),
        models_(problem, stored_models(problem, w), average != nullptr, surroundings),
        shared_(models_.shares(options.batch)),
        taken_(problem, weighting, options.batch, batches_a_piece()),
        squared_norm_(w.squared_norm()) {}

  std::size_t run(std::span<const std::uint32_t> order, std::size_t first, std::size_t end) {
    taken_.begin(order, first);
    while (first < end && !surroundings_.stop()) {
      Piece& piece = taken_.present();
      if (shared_) begin_batch(piece, order);
      surroundings_.parallel_for(2, [&](std::size_t task) {
        if (task == 0) walk(piece, order, end);
        if (task == 1) taken_.take_next(order);
      });
      first = piece.next;
      if (piece.through()) taken_.go_on();
    }
    return first;
  }

  DescentOutcome finish() {
    update();
    if (models_.averages() && outcome_.steps > 0) take_average();
    models_.forget_sums();
    multiply_scale_in();
    w_ = plain_models(problem_, models_.v());
    return outcome_;
  }

 private:
  using Piece = MiniBatches::Piece;

  /// If tasks share products, a piece is one batch: all threads compute its products before its
  /// steps.
  std::size_t batches_a_piece() const {
    return !shared_
               ? MiniBatch::taken_ahead(problem_, options_.batch, weighting_.values_per_sample())
               : 1;
  }

  /// Processes samples at least up to `end`, within the piece.
  void walk(Piece& piece, std::span<const std::uint32_t> order, std::size_t end) {
    while (!piece.through() && piece.next < end && !surroundings_.stop()) {
      if (!shared_) begin_batch(piece, order);
      walk();
      batch_->rows().leave(room_);
      piece.batch_walked();
    }
    // Another task may replace these batches by the next ones.
    if (!shared_) update();
  }

  void begin_batch(Piece& piece, std::span<const std::uint32_t> order) {
    batch_ = &piece.batch();
    weighting_.prepare(order.subspan(piece.next, batch_->size()));
    multiply();
  }

  /// Applies the updates since the last call.
  void update() {
    if (!updates_.empty()) models_.update_and_multiply(updates_, updated_->rows(), nullptr, {});
    updates_.clear();
  }

  std::size_t label(std::size_t position) const { return (*batch_)[position].label; }

  std::span<float> class_products(std::size_t position, std::size_t y) {
    return {z_.row(position) + y * problem_.models, problem_.models};
  }

  /// The steps of the batch, one after the other.
  void walk() {
    for (std::size_t i = 0; i < batch_->size(); ++i) {
      correct(i);
      step(i);
      if (scale_ >= smallest_scale) continue;
      multiply_scale_in();
      if (i + 1 < batch_->size()) multiply();
    }
  }

  /// The batch's products with the present models, which are brought up to date.
  void multiply() {
    const MiniBatchRows& last = updated_ != nullptr ? updated_->rows() : batch_->rows();
    const MutableMatrixView z = z_.view().rows_range(0, batch_->size());
    models_.update_and_multiply(updates_, last, &batch_->rows(), z);
    updates_.clear();
    updated_ = batch_;
  }

  /// Corrects the products with W before the batch to those with the current W.
  void correct(std::size_t position) {
    for (const std::size_t y : updates_.classes) add_updates(position, y);
    multiply_with_scale({z_.row(position), z_.cols()});
  }

  void add_updates(std::size_t position, std::size_t y) {
    factor_rows_.clear();
    products_.clear();
    for (const Update& u : updates_.by_class[y]) {
      factor_rows_.push_back(u.factors.data());
      products_.push_back(gram_.row(u.position)[position]);
    }
    const std::span<float> part = class_products(position, y);
    add_rows(part.data(), part.size(), factor_rows_.data(), products_.data(), products_.size());
  }

  void multiply_with_scale(std::span<float> products) const {
    const float scale = static_cast<float>(scale_);
    for (float& value : products) value *= scale;
  }

  /// The moment of this step.
  double moment() const { return double(outcome_.steps) + options_.s0; }

  double shrink() {
    const double shrink = 1 - 1 / moment();
    scale_ *= shrink;
    squared_norm_ *= shrink * shrink;
    return shrink;
  }

  void step(std::size_t position) {
    const Sample& sample = (*batch_)[position];
    const std::span<const float> z(z_.row(position), w_.rows());
    const Judgement judged = weighting_.judge(sample, z);
    ++outcome_.steps;
    outcome_.errors += judged.own_score <= judged.rival_score;
    const double weight = problem_.weight(sample.number);
    outcome_.losses +=
        weight * std::max(0.0, 1 + double{judged.rival_score} - double{judged.own_score});
    const double shrunk = shrink();
    const double gain = double{judged.own_linear} - double{judged.rival_score};
    if (1 - gain > 0 && weight > 0) learn(sample, z, judged.rival, shrunk, gain);
    project();
    scales_ += scale_;
  }

  void learn(const Sample& sample, std::span<const float> z, std::size_t rival_label, double shrunk,
             double gain) {
    const std::size_t position = sample.position;
    const std::span<float> own(factors_.row(2 * position), problem_.models);
    const std::span<float> rival(factors_.row(2 * position + 1), problem_.models);
    weighting_.weigh(sample, z, rival_label, own, rival);
    batch_->rows().multiply_with_batch(position, gram_.row(position), room_);
    const double eta = problem_.weight(sample.number) / (options_.lambda * moment());
    const double length = double{gram_.row(position)[position]};
    squared_norm_ +=
        2 * shrunk * eta * gain + eta * eta * (squared_norm(own) + squared_norm(rival)) * length;
    add_update(sample, label(position), own, eta / scale_);
    add_update(sample, rival_label, rival, -eta / scale_);
    ++outcome_.updates;
  }

  void add_update(const Sample& sample, std::size_t label, std::span<float> factors,
                  double factor) {
    for (float& f : factors) f = static_cast<float>(double{f} * factor);
    updates_.add({sample.position, label, factors, scales_});
  }

  void project() {
    squared_norm_ = std::max(squared_norm_, 0.0);
    if (squared_norm_ <= options_.radius * options_.radius) return;
    scale_ *= options_.radius / std::sqrt(squared_norm_);
    squared_norm_ = options_.radius * options_.radius;
    ++outcome_.projections;
  }

  void take_average() {
    models_.average(scales_, double(outcome_.steps));
    *average_ = plain_models(problem_, models_.sums());
  }

  void multiply_scale_in() {
    update();
    if (scale_ == 1) return;
    models_.multiply_in(scale_, scales_);
    scale_ = 1;
    scales_ = 0;
  }

  const Problem& problem_;
  const DescentOptions options_;
  Weighting& weighting_;
  ModelMatrix& w_;
  ModelMatrix* average_;
  const Surroundings& surroundings_;

  MiniBatch* batch_ = nullptr;
  MiniBatch* updated_ = nullptr;  // the batch of the updates' samples
  ModelMatrix z_;                 // products of the batch's samples with models
  ModelMatrix gram_;              // rows: products of samples with loss with later samples
  numerics::PackedRows room_;     // of MiniBatchRows
  ModelMatrix factors_;           // two rows per sample: own class and rival
  Updates updates_;
  std::vector<const float*> factor_rows_;  // of the updates of a class
  std::vector<float> products_;            // of a sample with those of the updates

  UpdatedModels models_;
  const bool shared_;  // by tasks: the products of a batch
  MiniBatches taken_;
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

DescentOutcome Descent::finish() { return worker_->finish(); }

double check_memory(const Problem& problem, std::size_t batch_size, std::size_t weights_per_sample,
                    Context& context) {
  const std::size_t inputs = problem.inputs() + ListedRows::more_columns;  // at most
  const double model = 4.0 * double(problem.model_rows()) * double(padded(problem.inputs()));
  const double weights = 4.0 * double(problem.rows.rows) * double(weights_per_sample);
  // They are taken ahead in two pieces, in at most three forms; one batch has a fourth.
  const double ahead = 2.0 * double(batch_size) *
                       double(MiniBatch::taken_ahead(problem, batch_size, weights_per_sample));
  const double taken = ahead * double(3 * padded(inputs) + weights_per_sample) +
                       double(batch_size) * double(padded(inputs));
  const double batch = 4.0 * (double(batch_size) * double(2 * problem.model_rows()) + taken);
  // W; W and the sums of the average in panels; the average twice more while it is taken.
  constexpr int copies = 5;
  const double needed = copies * model + weights + batch, budget = double(context.memory_budget());
  if (needed <= budget) return budget - needed;
  const auto mib = [](double bytes) {
    return std::to_string(static_cast<std::size_t>(std::ceil(bytes / (1 << 20)))) + " MiB";
  };
  throw MemoryError("training needs " + mib(needed) + " (" + std::to_string(copies) + " x " +
                    mib(model) + " for " + std::to_string(problem.model_rows()) + " models, " +
                    mib(weights) + " for the samples' weights, " + mib(batch) +
                    " for batches), but may use only " +
                    std::to_string(context.memory_budget() >> 20) +
                    " MiB; use fewer models, a smaller batch or more --memory");
}

}  // namespace semblance::ml3
