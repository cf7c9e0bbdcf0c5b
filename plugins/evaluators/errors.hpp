// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/errors`: shows the test samples with the largest errors.
class Errors final : public Evaluator {
 public:
  static Declaration<Errors> declare();
  void check_parameters() const override;
  bool wants_samples() const override { return true; }
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  /// A misclassified test sample.
  struct Mistake {
    std::size_t row = 0;
    std::size_t label = 0;
    std::size_t predicted = 0;
    double margin = 0;  ///< its own class's score minus that of the class it is assigned to
  };
  std::vector<Mistake> mistakes(const Scored& test, const std::vector<std::size_t>& rows) const;
  SampleList::Entry entry(const Scored& test, const Mistake& mistake) const;

  std::int64_t count_ = 20;
  std::string class_;
  std::string taken_for_;
  std::int64_t bases_ = 3;
};

}  // namespace semblance::evaluators
