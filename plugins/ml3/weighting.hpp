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
  std::span<const float> values;  ///< Weighting::values()
};

/// A sample's scores as a step of the descent sees them.
struct Judgement {
  float own_linear = 0;   ///< beta . W_y x with the sample's own weights: the subtrahend of (13b)
  float own_score = 0;    ///< the own class's score, for the running error
  float rival_score = 0;  ///< the largest score of another class: n_W of (9b)
  std::size_t rival = 0;
};

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

  /// `z` = W x for the sample, all models of all classes; writes the weights of its own class and
  /// of the rival.
  virtual Judgement judge(const Sample& sample, std::span<const float> z, std::span<float> own,
                          std::span<float> rival) = 0;
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
  Judgement judge(const Sample& sample, std::span<const float> z, std::span<float> own,
                  std::span<float> rival) override;

 private:
  const Problem& problem_;
  const PowerBall& ball_;
  const FloatMatrix& own_;
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
  Judgement judge(const Sample& sample, std::span<const float> z, std::span<float> own,
                  std::span<float> rival) override;

 private:
  void draw(Random& random, std::span<float> weights) const;

  const Problem& problem_;
  const PowerBall& ball_;
  RandomWeights weights_;
  std::uint64_t seed_;
  const Surroundings& surroundings_;
  std::vector<float> drawn_;
};

}  // namespace semblance::ml3
