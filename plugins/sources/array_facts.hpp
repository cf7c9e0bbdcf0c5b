// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "row_facts.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// An array that says something of samples, which are in another one: a value or a row for each.
class FactArray {
 public:
  virtual ~FactArray() = default;

  virtual std::size_t rows() const noexcept = 0;
  /// Values per row.
  virtual std::size_t cols() const noexcept = 0;
  /// Throws DataError about the array, or about one of its rows, counted from 0.
  [[noreturn]] virtual void fail(const std::string& what) const = 0;
  [[noreturn]] virtual void fail_row(std::size_t row, const std::string& what) const = 0;

  /// Calls take(row, text) for the value of each row: a text, or a whole number in digits; empty if
  /// it is missing. `what` is its name in messages.
  using TakeText = std::function<void(std::size_t row, std::string_view text)>;
  virtual void each_text(const std::string& what, const TakeText& take, Context& context) = 0;
  /// All numbers; NaN for a missing one. `what`: as before.
  virtual std::vector<double> numbers(const std::string& what, Context& context) = 0;

 protected:
  /// The digits of a whole number; fails for others.
  std::string whole(double number, std::size_t row, const std::string& what) const;
};

/// The arrays of some samples; null: there is none.
struct FactArrays {
  FactArray* labels = nullptr;
  FactArray* targets = nullptr;
  FactArray* weights = nullptr;
  FactArray* groups = nullptr;
};

/// Appends what is known of so many samples of the array `samples`, with unknown targets if there
/// are `numbers` to predict and no array of them. Throws DataError if an array does not fit.
void append_facts(const FactArrays& arrays, std::size_t rows, const std::string& samples,
                  const LabelRule& rule, bool numbers, RowFacts& facts, Context& context);

}  // namespace semblance::sources
