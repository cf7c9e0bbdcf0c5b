// SPDX-License-Identifier: MIT
#include "crammer_singer/crammer_singer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include "crammer_singer/block_descent.hpp"
#include "crammer_singer/class_vectors.hpp"
#include "problem/sweep.hpp"
#include "semblance/parameters.hpp"

namespace semblance::linear {
namespace {

// The largest number of samples in a block. Larger blocks make better passes, but their Gram matrix
// costs more. With many more samples than columns, a step costs more than the product it saves.
constexpr std::size_t most_block_rows = 512;
constexpr std::size_t least_block_rows = 128;
// A sample unchanged in this number of visits to its block is omitted.
constexpr int idle_visits = 3;
// The largest number of passes over all blocks before the objective is computed again, even if
// violations are still large.
constexpr std::size_t most_passes = 20;
constexpr double first_violation = 0.1;

/// Depends only on the columns, so that the bits do not depend on the memory.
std::size_t choose_block(const LinearTask& task) {
  // A sparse sample's products with all classes cost less than its part of a Gram matrix: 20
  // Newsgroups takes 2.0 s of processor time so, and 24 s with blocks of 512.
  if (task.sparse()) return 1;
  return std::clamp(padded(task.dimension()), least_block_rows, most_block_rows);
}

/// The memory left for cached Gram matrices; throws Error if not even one block fits.
std::size_t memory_for_blocks(const LinearTask& task, std::size_t budget) {
  const std::size_t rows = task.training.rows.rows(), k = task.classes(), d = task.dimension();
  const std::size_t block = choose_block(task);
  const std::size_t needed = rows * k * sizeof(double) + ClassVectors::bytes(d, k) +
                             k * padded(d) * sizeof(double) + RowBlocks::bytes(block) +
                             block * (padded(d) + 4 * k) * sizeof(float);
  if (needed > budget)
    throw MemoryError("the Crammer-Singer machine takes " + std::to_string((needed >> 20) + 1) +
                      " MiB: 8 bytes x " + std::to_string(rows) + " rows x " + std::to_string(k) +
                      " classes for its variables, two sets of weights and a block of rows; " +
                      std::to_string(budget >> 20) +
                      " MiB are left. Raise --memory or train on fewer rows");
  return budget - needed;
}

/// A sample's step divides the amount shared by its classes, at most about C |x|^2, by |x|^2.
/// Beyond the limit, slopes of about 1 lose most digits in double. Products of samples are float32.
void check_range(const LinearTask& task, Context& context) {
  constexpr double most = 1e12;
  const Rows& rows = task.training.rows;
  std::vector<double> largest(block_count(rows.rows()));
  for_each_block(rows, context, [&](std::size_t block, std::size_t, MatrixView x) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      double square = task.bias * task.bias;
      for (const float value : x.row_span(i)) square += double{value} * value;
      largest[block] = std::max(largest[block], square);
    }
  });
  const double square = *std::max_element(largest.begin(), largest.end());
  const double cost = task.largest_cost();
  if (cost * square <= most && square < double{std::numeric_limits<float>::max()}) return;
  throw Error("C = " + to_text(Value(cost)) + " and rows of squared length " +
              to_text(Value(square)) +
              " are too large together: sums in double lose the margin if their product exceeds "
              "1e12. Lower C, or scale the rows (normalizer/zscore)");
}

class CrammerSinger {
 public:
  CrammerSinger(const LinearTask& task, Context& context)
      : task_(task),
        context_(context),
        rows_(task.training.rows),
        memory_(memory_for_blocks(task, context.memory_budget())),
        k_(task.classes()),
        grouped_(rows_.rows()),
        w_(ClassVectors::of(task)),
        best_(k_, task.dimension()),
        alpha_(rows_.rows() * k_),
        steps_(k_),
        idle_(rows_.rows()) {}

  Solution solve(double cost) {
    begin(cost);
    if (!iterate()) result_.certificate = stop_certificate(context_);
    result_.outcomes = {best_outcome_};
    result_.outcomes.front().dual = std::max(best_outcome_.dual, dual());
    result_.weights = Vectors<double>(k_, best_.cols());
    for (std::size_t m = 0; m < k_; ++m)
      std::copy_n(best_.row(m), best_.cols(), result_.weights.row(m));
    return std::move(result_);
  }

 private:
  std::size_t own(std::size_t row) const {
    return static_cast<std::size_t>(task_.training.labels[row]);
  }
  double row_cost(std::size_t row) const { return cost_ * task_.row_weight(row); }
  std::span<double> alpha(std::size_t row) { return {alpha_.data() + row * k_, k_}; }

  /// Starts from the alphas of a smaller cost, which are feasible for this one.
  void begin(double cost) {
    // At w = 0 every sample has the loss 1; the vectors of a smaller cost have a known loss.
    double total = 0;
    cost_ = 1;
    for (std::size_t i = 0; i < rows_.rows(); ++i) total += row_cost(i);
    best_outcome_ = {cost * (loss_ < 0 ? total : loss_) + norm(best_) / 2, 0, 1};
    cost_ = cost;
    result_ = Solution();
    for (std::size_t i = 0; i < rows_.rows(); ++i)
      idle_[i] = task_.row_weight(i) > 0 ? 0 : idle_visits;
  }

  /// False if a stop was requested.
  bool iterate() {
    double aim = first_violation;  // of the active samples
    for (;;) {
      if (!evaluate(aim)) return false;
      if (proved(best_outcome_, task_.tolerance)) return true;
      if (!regroup()) return false;
      for (std::size_t pass = 0;; ++pass) {
        if (result_.iterations == task_.max_iterations) {
          result_.certificate = Certificate::iteration_limit;
          return evaluate(aim);
        }
        double largest = 0;
        random_.shuffle(std::span(order_));
        for (const std::size_t block : order_) {
          if (context_.stop_requested() != StopReason::none) return false;
          visit(block, largest);
        }
        ++result_.iterations;
        if (largest <= aim || pass + 1 == most_passes) {
          if (largest <= aim) aim *= 0.3;
          break;
        }
      }
    }
  }

  /// Makes new blocks of the active samples, if some are not in the present blocks or if they are
  /// less than half of the samples there. False if a stop was requested.
  bool regroup() {
    std::vector<std::size_t> taking_part;
    bool grouped = blocks_.has_value();
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      if (idle_[i] >= idle_visits) continue;
      taking_part.push_back(i);
      grouped = grouped && grouped_[i] != 0;
    }
    if (taking_part.empty() || (grouped && 2 * taking_part.size() >= blocks_->rows())) return true;
    std::fill(grouped_.begin(), grouped_.end(), 0);
    for (const std::size_t i : taking_part) grouped_[i] = 1;
    blocks_.reset();
    blocks_.emplace(task_, std::move(taking_part), choose_block(task_), memory_, context_);
    add_sweep(2 * blocks_->rows());
    order_.resize(blocks_->blocks());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    return context_.stop_requested() == StopReason::none;
  }

  /// x_i.w_m, sample by sample.
  std::vector<double> products(const std::vector<std::size_t>& samples) {
    const std::size_t step = worthwhile_task(rows_.cols(), k_);
    const std::size_t tasks = (samples.size() + step - 1) / step;
    std::vector<double> f(samples.size() * k_);
    const auto body = [&](std::size_t task) {
      const std::size_t first = task * step;
      w_->products(std::span(samples).subspan(first, std::min(step, samples.size() - first)),
                   f.data() + first * k_);
    };
    if (tasks == 1)
      body(0);
    else
      context_.parallel_for(tasks, body);
    add_sweep(samples.size());
    return f;
  }

  void add_sweep(std::size_t rows) {
    result_.sweeps += static_cast<double>(rows) / static_cast<double>(2 * rows_.rows());
  }

  /// Makes steps on the active samples of a block.
  void visit(std::size_t block, double& largest) {
    std::vector<CrammerSingerBlock::Row> rows;
    std::vector<std::size_t> samples;
    for (std::size_t i = 0; i < blocks_->size(block); ++i)
      if (const std::size_t row = blocks_->row(block, i); idle_[row] < idle_visits) {
        rows.push_back({i, own(row), row_cost(row), alpha(row).data()});
        samples.push_back(row);
      }
    if (rows.empty()) return;
    blocks_->open(block);
    std::vector<double> change;
    const std::vector<double> f = products(samples);
    largest =
        std::max(largest, steps_.descend(*blocks_, block, rows, f, change, random_, context_));
    for (std::size_t i = 0; i < rows.size(); ++i)
      idle_[samples[i]] = rows[i].moved ? 0 : idle_[samples[i]] + 1;
    apply(samples, change);
  }

  /// w_m += sum of the changes times the samples.
  void apply(const std::vector<std::size_t>& samples, const std::vector<double>& change) {
    std::vector<std::size_t> used;
    std::vector<double> factors;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double* by = change.data() + i * k_;
      if (std::all_of(by, by + k_, [](double x) { return x == 0; })) continue;
      used.push_back(samples[i]);
      factors.insert(factors.end(), by, by + k_);
    }
    if (used.empty()) return;
    add_sweep(used.size());
    w_->add(used, factors, context_);
  }

  /// The objectives at the current point. Samples that violate their condition by more than a tenth
  /// of `aim` become active again. False if a stop was requested.
  bool evaluate(double aim) {
    const std::size_t count = block_count(rows_.rows());
    std::vector<double> losses(count), worst(count);
    for_each_block(rows_, context_, [&](std::size_t block, std::size_t first, MatrixView x) {
      if (context_.stop_requested() != StopReason::none) return;
      std::vector<double> f(x.rows * k_);
      w_->products(x, f.data());
      for (std::size_t i = 0; i < x.rows; ++i) {
        const std::span<double> slope(f.data() + i * k_, k_);
        const std::size_t row = first + i, label = own(row);
        for (std::size_t m = 0; m < k_; ++m) slope[m] += m == label ? 0 : 1;
        losses[block] +=
            row_cost(row) * (*std::max_element(slope.begin(), slope.end()) - slope[label]);
        const double violation =
            CrammerSingerStep::violation(slope, alpha(row), label, row_cost(row));
        worst[block] = std::max(worst[block], violation);
        if (violation > 0.1 * aim && row_cost(row) > 0) idle_[row] = 0;
      }
    });
    if (context_.stop_requested() != StopReason::none) return false;
    add_sweep(rows_.rows());
    const double loss = std::accumulate(losses.begin(), losses.end(), 0.0);
    const double primal = w_->squares() / 2 + loss;
    best_outcome_.dual = std::max(best_outcome_.dual, dual());
    if (primal <= best_outcome_.primal) {
      best_outcome_.primal = primal;
      best_outcome_.gradient_norm = *std::max_element(worst.begin(), worst.end());
      loss_ = loss / cost_;
      w_->copy_to(best_);
    }
    record_progress();
    return true;
  }

  static double norm(const Vectors<double>& w) {
    double sum = 0;
    for (std::size_t m = 0; m < w.count(); ++m) sum += dot(w.row(m), w.row(m), w.cols());
    return sum;
  }

  /// -1/2 sum |w_m|^2 - sum of alpha over the samples' other classes.
  double dual() {
    double sum = 0;
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      const std::span<const double> a = alpha(i);
      for (std::size_t m = 0; m < k_; ++m) sum -= m == own(i) ? 0 : a[m];
    }
    return sum - w_->squares() / 2;
  }

  void record_progress() {
    const double gap = best_outcome_.primal - best_outcome_.dual;
    const double relative = std::max(gap / best_outcome_.primal, task_.tolerance);
    result_.objectives.push_back(best_outcome_.primal);
    result_.convergence.record(result_.iterations, gap / best_outcome_.primal);
    context_.progress(std::log(relative), std::log(task_.tolerance));
    context_.log(LogLevel::debug,
                 "pass " + std::to_string(result_.iterations) + ": objective " +
                     std::to_string(best_outcome_.primal) + ", relative gap " +
                     std::to_string(relative) + ", rows taking part " +
                     std::to_string(std::count_if(idle_.begin(), idle_.end(),
                                                  [](int i) { return i < idle_visits; })) +
                     ", sweeps " + std::to_string(result_.sweeps));
  }

  const LinearTask& task_;
  Context& context_;
  const Rows& rows_;
  std::size_t memory_;  // for blocks
  std::size_t k_;
  std::optional<RowBlocks> blocks_;
  std::vector<char> grouped_;        // whether a sample is in a block
  std::unique_ptr<ClassVectors> w_;  // the last point
  Vectors<double> best_;             // that of the least objective
  std::vector<double> alpha_;        // rows x classes
  CrammerSingerBlock steps_;
  std::vector<int> idle_;           // consecutive visits without a change, per sample
  std::vector<std::size_t> order_;  // of the blocks
  Random random_{1};
  double cost_ = 1;
  double loss_ = -1;  // of best_, without C; -1: unknown
  Outcome best_outcome_;
  Solution result_;
};

}  // namespace

std::vector<Solution> train_crammer_singer(const LinearTask& task, Context& context) {
  check_range(task, context);
  CrammerSinger machine(task, context);
  std::vector<Solution> solutions;
  for (const double cost : task.costs) solutions.push_back(machine.solve(cost));
  return solutions;
}

}  // namespace semblance::linear
