// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranked_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/ranking`: how well scores rank the samples of a class before all other samples.
class Ranking final : public Evaluator {
 public:
  static Declaration<Ranking> declare();
  void check_scores(const AnnouncedScores& scores) const override;
  void evaluate(const Scored& test, Report& report, Context& context) const override;

 private:
  RankingLevels levels() const { return {at_recall_, at_precision_, at_share_}; }
  std::vector<std::size_t> classes_to_rank(std::span<const std::string> classes) const;
  std::vector<RankedClass> ranked(const Scored& test, const std::vector<std::size_t>& rows,
                                  Context& context) const;
  void report_intervals(const std::vector<RankedClass>& all, const RankingFigures& figures,
                        Report& report, Context& context) const;

  std::string positive_;
  double at_recall_ = RankingLevels{}.recall;
  double at_precision_ = RankingLevels{}.precision;
  double at_share_ = RankingLevels{}.share;
  std::int64_t bootstrap_ = 1000;
  double confidence_ = 0.95;
};

}  // namespace semblance::evaluators
