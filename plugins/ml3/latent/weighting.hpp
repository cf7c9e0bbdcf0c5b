// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "latent/power_ball.hpp"
#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// The sample of a step.
struct Sample {
  std::size_t number = 0;         ///< its row
  std::size_t position = 0;       ///< among those announced last
  std::size_t label = 0;          ///< its class
  std::span<const float> values;  ///< Weighting::values()
};

/// A sample's scores in a step of the descent. If both losses, (9b) and (13b), are certainly 0, a
/// score may be replaced by a bound that shows this.
struct Judgement {
  float own_linear = 0;   ///< beta . W_y x with the sample's own weights: the subtrahend of (13b)
  float own_score = 0;    ///< the own class's score, for the running error
  float rival_score = 0;  ///< the largest score of another class: n_W of (9b)
  std::size_t rival = 0;
};

/// Combines the models of a class to its score. A descent calls it from one thread.
class Weighting {
 public:
  virtual ~Weighting() = default;

  /// The data about a row that judge() needs, and their number of values. Thread-safe.
  virtual std::size_t values_per_sample() const noexcept { return 0; }
  virtual std::span<const float> values(std::size_t) const noexcept { return {}; }

  /// Announces the samples of the next judgements.
  virtual void prepare(std::span<const std::uint32_t>) {}

  /// Computes the scores. `z` = W x for the sample and all models.
  virtual Judgement judge(const Sample& sample, std::span<const float> z) = 0;
  /// Computes the weights of its own class and of the rival found by judge().
  virtual void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
                     std::span<float> own_weights, std::span<float> rival_weights) const = 0;
};

/// ML3's: the own class's weights are fixed for the iteration (one row per sample), those of other
/// classes maximise their score.
class LatentWeighting final : public Weighting {
 public:
  LatentWeighting(const Problem& problem, const PowerBall& ball, const FloatMatrix& own)
      : problem_(problem), ball_(ball), own_(own) {}
  std::size_t values_per_sample() const noexcept override { return own_.cols; }
  std::span<const float> values(std::size_t sample) const noexcept override {
    return own_.view().row_span(sample);
  }
  Judgement judge(const Sample& sample, std::span<const float> z) override;
  void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
             std::span<float> own_weights, std::span<float> rival_weights) const override;

 private:
  /// Finds the rival if there may be a loss.
  void find_rival(std::size_t label, std::span<const float> z, Judgement& result) const;
  float score(std::span<const float> z, std::size_t label) const;

  const Problem& problem_;
  const PowerBall& ball_;
  const FloatMatrix& own_;
  ComparedScores compared_;  // of all classes
};

/// The distribution of random weights in the ball, which section 4 does not specify. With
/// `one_model` a sample belongs to a single model of a class, and the models differ from the start.
/// With a `mixture` of many the models learn from nearly the same samples and diverge later.
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
  Judgement judge(const Sample& sample, std::span<const float> z) override;
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

/// The weights of class `label` among a sample's weights: `models` weights, common to all classes
/// or one set per class.
inline std::span<const float> class_weights(std::span<const float> weights, std::size_t models,
                                            std::size_t label) {
  return weights.size() == models ? weights : weights.subspan(label * models, models);
}

/// Fixed weights for every sample: common to all classes, or separate for each class.
class FixedWeighting final : public Weighting {
 public:
  /// `weights`: one row per sample, with problem.models columns, or that many for each class in
  /// turn.
  FixedWeighting(const Problem& problem, const FloatMatrix& weights)
      : problem_(problem), weights_(weights) {}
  std::size_t values_per_sample() const noexcept override { return weights_.cols; }
  std::span<const float> values(std::size_t sample) const noexcept override {
    return weights_.view().row_span(sample);
  }
  Judgement judge(const Sample& sample, std::span<const float> z) override;
  void weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
             std::span<float> own_weights, std::span<float> rival_weights) const override;

 private:
  void score(const Sample& sample, std::span<const float> z);

  const Problem& problem_;
  const FloatMatrix& weights_;
  std::vector<float> scores_;  // of all classes
};

/// weights . z, over the weights that are not 0.
float weighted_sum(std::span<const float> weights, std::span<const float> z);

}  // namespace semblance::ml3
