// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "power_ball.hpp"
#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// A sample that a step is made for.
struct Sample {
  std::size_t number = 0;         ///< among all rows
  std::size_t position = 0;       ///< among those that were announced last
  std::size_t label = 0;          ///< its class
  std::span<const float> values;  ///< Weighting::values()
};

/// A sample's scores as a step of the descent sees them. Where both losses, (9b) and (13b), are
/// surely 0, a score may be replaced by a bound that says so.
struct Judgement {
  float own_linear = 0;   ///< beta . W_y x with the sample's own weights: the subtrahend of (13b)
  float own_score = 0;    ///< the own class's score, for the running error
  float rival_score = 0;  ///< the largest score of another class: n_W of (9b)
  std::size_t rival = 0;
};

/// Numbers of classes, ascending.
using Classes = std::span<const std::uint32_t>;

/// How far a change of a class's models moves products with a sample: see Weighting::reach().
struct Reach {
  double up = 0;    ///< times a factor above 0
  double down = 0;  ///< times the magnitude of one below 0
};

/// At most, and at least, weights . z for all products within `error` of `z`, however that sum is
/// rounded.
double least_sum(std::span<const float> weights, std::span<const float> z,
                 std::span<const float> error);
double most_sum(std::span<const float> weights, std::span<const float> z,
                std::span<const float> error);

/// How the models of a class are combined to its score. A descent calls it from one thread.
class Weighting {
 public:
  virtual ~Weighting() = default;

  /// What judge() needs to know of a row and only the rank that has it knows, and how many values
  /// that is. Thread-safe.
  virtual std::size_t values_a_sample() const noexcept { return 0; }
  virtual std::span<const float> values(std::size_t) const noexcept { return {}; }

  /// Told the samples of the judgements to come.
  virtual void prepare(std::span<const std::uint32_t>) {}

  /// `z` = W x for the sample, all models of all classes, of which those of `classes` are looked
  /// at: its own and at least one other.
  virtual Judgement judge(const Sample& sample, std::span<const float> z, Classes classes) = 0;
  /// The weights of its own class and of the rival that judge() found.
  virtual void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
                     std::span<float> own_weights, std::span<float> rival_weights) const = 0;

  /// Whether the three that follow can be asked: bounds of what judge() finds, which hold however
  /// its sums are rounded, of products that are known within an error each.
  virtual bool has_bounds() const noexcept { return false; }
  /// At least the score of a class with products within `error` of `z`.
  virtual double most(const Sample&, std::size_t, std::span<const float>,
                      std::span<const float>) const {
    return 0;
  }
  /// At most the sample's own_linear, and its own_score.
  virtual double least_own(const Sample&, std::span<const float>, std::span<const float>) const {
    return 0;
  }
  /// No score and no own_linear of a sample rises by more than up * factor * spread(sample) where
  /// its products with a class's models change by factor * change, factor > 0, or by more than down
  /// * -factor * spread(sample) where factor < 0; nor does one fall by more than the other of both.
  virtual Reach reach(std::span<const float>) const { return {}; }
  virtual double spread(const Sample&) const { return 1; }
};

/// ML3's: the own class's weights are fixed for the iteration (one row an own row of the problem),
/// those of the others maximise their score.
class LatentWeighting final : public Weighting {
 public:
  LatentWeighting(const Problem& problem, const PowerBall& ball, const FloatMatrix& own)
      : problem_(problem), ball_(ball), own_(own) {}
  std::size_t values_a_sample() const noexcept override { return own_.cols; }
  std::span<const float> values(std::size_t sample) const noexcept override {
    return own_.view().row_span(sample - problem_.rows.first_row);
  }
  Judgement judge(const Sample& sample, std::span<const float> z, Classes classes) override;
  void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
             std::span<float> own_weights, std::span<float> rival_weights) const override;
  bool has_bounds() const noexcept override { return true; }
  double most(const Sample& sample, std::size_t label, std::span<const float> z,
              std::span<const float> error) const override;
  double least_own(const Sample& sample, std::span<const float> z,
                   std::span<const float> error) const override;
  Reach reach(std::span<const float> change) const override;

 private:
  /// Where there may be a loss.
  void find_rival(std::size_t label, std::span<const float> z, Classes classes,
                  Judgement& result) const;
  float score(std::span<const float> z, std::size_t label) const;

  const Problem& problem_;
  const PowerBall& ball_;
  const FloatMatrix& own_;
  ComparedScores compared_;  // of the classes that judge() looks at
};

/// How random weights are drawn from the ball, which section 4 leaves open. With `one_model` a
/// sample belongs to a single model of a class, and the models differ from the start; a `mixture`
/// of many gives them nearly the same samples to learn from, and they part later.
enum class RandomWeights { one_model, mixture };

/// Random weights of every sample and class, the same at each visit: how ML3 starts (section 4).
class RandomWeighting final : public Weighting {
 public:
  RandomWeighting(const Problem& problem, const PowerBall& ball, RandomWeights weights,
                  std::uint64_t seed, const Surroundings& surroundings)
      : problem_(problem),
        ball_(ball),
        weights_(weights),
        seed_(seed),
        surroundings_(surroundings) {}
  void prepare(std::span<const std::uint32_t> samples) override;
  Judgement judge(const Sample& sample, std::span<const float> z, Classes classes) override;
  void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
             std::span<float> own_weights, std::span<float> rival_weights) const override;

 private:
  std::span<const float> weights(const Sample& sample, std::size_t label) const;
  void draw(Random& random, std::span<float> weights) const;

  const Problem& problem_;
  const PowerBall& ball_;
  RandomWeights weights_;
  std::uint64_t seed_;
  const Surroundings& surroundings_;
  std::vector<float> drawn_;
};

}  // namespace semblance::ml3
