// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semblance::sources {

/// The time of a stamp: a number, or a date such as 2024-05-31 or 2024-05-31 12:30:15.5 in seconds
/// (a T may stand between day and time, a Z behind the time). Nothing for other texts.
std::optional<double> time_of_stamp(std::string_view text);

/// Numbers the steps of series by their time stamps, which must be equally spaced, in all series
/// alike. A stamp may be left out: its step is then missing.
///
/// Stamps may be rounded: each may be off by up to 2 % of a step.
class TimeSteps {
 public:
  /// The next channel is the first one of a series.
  void begin_series() { start_.reset(); }

  /// The step of each stamp of the next channel, from 0. Calls `fail`, which throws, with the
  /// problem and the remedy if the stamps are no such steps.
  std::vector<std::size_t> of_channel(std::span<const std::string_view> stamps,
                                      const std::function<void(const std::string&)>& fail);

 private:
  std::optional<double> start_;  ///< of the series
  double length_ = 0;            ///< of a step; 0: not known yet
};

}  // namespace semblance::sources
