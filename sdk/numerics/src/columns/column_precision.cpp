// SPDX-License-Identifier: MIT
#include "semblance_numerics/column_precision.hpp"

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::numerics {
namespace {

constexpr long double least_normal = 0x1p-126L;

std::string short_text(long double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6Lg", x);
  return text;
}

/// A value of a column, and by how much rounding changes it.
struct Value {
  long double exact;
  long double error;
  float rounded;
};

/// Whether two numbers, of which `high` is the larger, differ by no more than the last bits of a
/// double that come from arithmetic.
bool are_same(long double low, long double high) {
  const bool whole = low == std::floor(low) && high == std::floor(high);
  return low == high ||
         (!whole && high - low <= 0x1p-46L * std::max(std::abs(low), std::abs(high)));
}

/// Removes all but one of the sorted values that are the same; unless all are `tiny`, those that
/// are become 0.
void keep_different(std::vector<Value>& values, bool tiny) {
  std::size_t count = 0;
  for (Value value : values) {
    if (!tiny && std::abs(value.exact) < least_normal) value = {0, 0, 0};
    if (count == 0 || !are_same(values[count - 1].exact, value.exact)) values[count++] = value;
  }
  values.resize(count);
}

/// Marks the values that are next to each other and that rounding moves by more than the `part`th
/// of what all would span if they were as dense; if `merged`, only where it makes some the same.
std::vector<bool> moved_values(const std::vector<Value>& values, long double part, bool merged) {
  std::vector<bool> moved(values.size());
  const std::size_t count = values.size();
  const std::size_t least = merged && count < 8 ? 2 : std::min<std::size_t>(3, count);
  const std::size_t near = std::max(least, (count + 7) / 8);
  const auto merge = [](const Value& a, const Value& b) { return a.rounded == b.rounded; };
  if (merged && std::ranges::adjacent_find(values, merge) == values.end()) return moved;
  for (std::size_t i = 0; i + near <= count; ++i) {
    long double error = values[i].error;
    bool some_merge = false;
    for (std::size_t k = i + 1; k < i + near; ++k) {
      error = std::max(error, values[k].error);
      some_merge = some_merge || values[k].rounded == values[k - 1].rounded;
    }
    const long double span = values[i + near - 1].exact - values[i].exact;
    if ((some_merge || !merged) &&
        error * part > span * static_cast<long double>(count - 1) / double(near - 1))
      std::fill_n(moved.begin() + static_cast<std::ptrdiff_t>(i), near, true);
  }
  return moved;
}

/// The gaps between the values that are lost, ascending.
std::vector<long double> gaps_of(const std::vector<Value>& values, const std::vector<bool>& lost) {
  std::vector<long double> gaps;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (lost[i] && lost[i - 1]) gaps.push_back(values[i].exact - values[i - 1].exact);
  std::ranges::sort(gaps);
  return gaps;
}

/// Whether values with these gaps approach a limit: the quartiles of the gaps are magnitudes apart.
/// Those of numbers drawn evenly are apart by a factor of 5, of normal ones by 8.
bool approach_a_limit(const std::vector<long double>& gaps) {
  constexpr std::size_t enough = 8;
  return gaps.size() >= enough && gaps[gaps.size() * 3 / 4] > 200 * gaps[gaps.size() / 4];
}

}  // namespace

/// The loss of a column.
struct ColumnPrecision::Loss {
  bool lost = false;
  bool some = false;    ///< more than a thousandth
  bool all = false;     ///< none of the values is kept
  bool tiny = false;    ///< all are under the range of float32
  long double low = 0;  ///< the smallest and the largest of those that are lost, or of all
  long double high = 0;
  long double error = 0;  ///< the largest rounding error of these
  long double gap = 0;    ///< the usual one between those that are lost

  std::string constant() const {
    char text[32];
    std::snprintf(text, sizeof text, low == std::floor(low) ? "%.0Lf" : "%.15Lg", low);
    return text;
  }

  /// "since float32 has 24 bits; subtract a constant, such as 1600000000, from the column"
  std::string reason(const std::string& what) const {
    if (tiny)
      return "since float32 has nothing between 0 and 1e-45, and few digits below 1e-38; "
             "multiply " +
             what + " by a constant";
    return "since float32 has 24 bits; " +
           (several_levels()
                ? "split " + what + " into two, the levels and the differences from them"
                : "subtract a constant, such as " + constant() + ", from " + what) +
           (error > 0x1p20L * gap ? ", or round it if the differences are noise," : "");
  }

  /// Whether no constant is near all values.
  bool several_levels() const { return high - low > 4096 * error; }

  std::string rounding() const {
    return (several_levels() ? "are close together at several levels"
                             : "differ by " + short_text(high - low)) +
           ", but would be rounded by up to " + short_text(error) + ", ";
  }
};

void ColumnPrecision::clear() {
  for (Column& column : columns_) {
    std::vector<Entry> sample = std::move(column.sample);
    sample.clear();  // which keeps its memory
    column = {};
    column.sample = std::move(sample);
  }
  sampled_ = 0;
}

void ColumnPrecision::add_wide(std::size_t column, long double value) {
  const auto narrow = static_cast<double>(value);
  const auto rounded = static_cast<float>(value);
  if (narrow == value && (rounded != 0 || value == 0)) return add(column, narrow);
  Column& c = columns_[column];
  if (value == std::floor(value)) note_whole(c, value);
  auto rest = static_cast<double>(value - static_cast<long double>(rounded));
  if (rest == 0 && value != 0)  // under the range of a double
    rest = std::copysign(std::numeric_limits<double>::denorm_min(), static_cast<double>(value));
  const std::uint32_t key =
      key_of(std::bit_cast<std::uint64_t>(narrow) ^ std::bit_cast<std::uint64_t>(rest) * 3);
  if (key <= c.bound) insert(c, {key, rounded, rest});
}

void ColumnPrecision::note_whole(Column& column, long double value) noexcept {
  const auto error =
      static_cast<float>(std::abs(value - static_cast<long double>(static_cast<float>(value))));
  column.whole_error = std::max(column.whole_error, error);
}

/// Ascending, each key once; of numbers with the same key, the smallest.
void ColumnPrecision::sort(std::vector<Entry>& sample) {
  std::ranges::sort(sample, {}, [](const Entry& e) { return std::tie(e.key, e.value, e.rest); });
  const auto rest = std::ranges::unique(sample, {}, &Entry::key);
  sample.erase(rest.begin(), rest.end());
}

/// A column that does not repeat its values, as most of those with few, is not sorted until its
/// sample is complete.
void ColumnPrecision::insert(Column& column, const Entry& entry) {
  constexpr std::size_t least_sorted = 8;
  std::vector<Entry>& sample = column.sample;
  const std::size_t size = sample.size();
  const bool full = size == sample_size || (size == sample.capacity() && size >= least_sorted);
  if (!column.sorted && full) {
    sort(sample);
    sampled_ -= size - sample.size();
    column.sorted = size == sample_size || sample.size() < size;
  }
  if (!column.sorted) {
    if (size > 0 &&
        std::tie(entry.value, entry.rest) == std::tie(sample.back().value, sample.back().rest))
      return;
    sample.push_back(entry);
    ++sampled_;
    return;
  }
  // Without branches: most columns have few different values, so that each row gets here.
  const Entry* at = sample.data();
  for (std::size_t left = sample.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    at += half * static_cast<std::size_t>(at[half - 1].key < entry.key);
    left -= half;
  }
  const auto place = sample.begin() + (at - sample.data());
  if (place != sample.end() && place->key == entry.key) {
    if (entry.value < place->value || (entry.value == place->value && entry.rest < place->rest))
      *place = entry;
    return;
  }
  sample.insert(place, entry);
  if (sample.size() <= sample_size) {
    ++sampled_;
    return;
  }
  sample.pop_back();
  column.bound = sample.back().key;
}

ColumnPrecision::Loss ColumnPrecision::loss(std::size_t column) const {
  Loss loss;
  std::vector<Entry> sample = columns_[column].sample;
  if (!columns_[column].sorted) sort(sample);
  if (columns_[column].zero) sample.push_back({});
  std::ranges::sort(sample, [](const Entry& a, const Entry& b) {
    return a.value != b.value ? a.value < b.value : a.rest < b.rest;
  });
  std::vector<Value> values;
  values.reserve(sample.size());
  for (const Entry& entry : sample)
    values.push_back(
        {static_cast<long double>(entry.value) + entry.rest, std::abs(entry.rest), entry.value});
  loss.tiny = std::ranges::all_of(
      values, [](const Value& value) { return std::abs(value.exact) < least_normal; });
  keep_different(values, loss.tiny);
  const std::size_t count = values.size();
  if (count < 2) return loss;  // a constant column distinguishes nothing
  loss.low = values.front().exact;
  loss.high = values.back().exact;
  const auto is_exact = [](const Value& value) { return value.error == 0; };
  if (std::ranges::all_of(values, is_exact)) return loss;

  std::vector<bool> lost = moved_values(values, 16, true);
  const auto number = static_cast<std::size_t>(std::ranges::count(lost, true));
  const std::vector<long double> gaps = gaps_of(values, lost);
  if (!gaps.empty()) loss.gap = gaps[gaps.size() / 2];
  const bool limit = 8 * number < 7 * count && approach_a_limit(gaps);
  loss.lost = !limit && 2 * number > count;
  if (!loss.lost) {
    const std::vector<bool> rounded = moved_values(values, 1024, false);
    loss.some = !limit &&
                (8 * number > count || 2 * std::ranges::count(rounded, true) > std::ssize(rounded));
    lost.assign(count, true);
  }
  loss.all = std::ranges::count(lost, true) == std::ssize(lost);
  const auto first = std::ranges::find(lost, true) - lost.begin();
  const auto last = std::find(lost.rbegin(), lost.rend(), true).base() - lost.begin() - 1;
  loss.low = values[static_cast<std::size_t>(first)].exact;
  loss.high = values[static_cast<std::size_t>(last)].exact;
  for (std::size_t i = 0; i < count; ++i)
    if (lost[i]) loss.error = std::max(loss.error, values[i].error);
  return loss;
}

std::string ColumnPrecision::lost(std::size_t column, const std::string& what) const {
  const Loss found = loss(column);
  return found.lost ? found.rounding() + found.reason(what) + " first" : "";
}

std::string ColumnPrecision::lost(const Describe& describe) const { return judge(describe).lost; }

bool ColumnPrecision::rounded(std::size_t column) const { return loss(column).some; }

std::string ColumnPrecision::rounded(const Describe& describe) const {
  return judge(describe).rounded;
}

ColumnPrecision::Verdict ColumnPrecision::judge(const Describe& describe) const {
  std::string text;
  Loss first;
  std::size_t others = 0;
  for (std::size_t k = 0; k < columns(); ++k) {
    Loss found = loss(k);
    if (found.lost)
      return {(found.all ? "the values in " : "most of the values in ") + describe(k) + " " +
                  found.rounding() + found.reason("the column") + " first",
              ""};
    const Column& c = columns_[k];
    const bool whole = c.whole_error > 0 && found.high > found.low;
    if (!found.some && !whole) continue;
    if (!text.empty()) {
      ++others;
      continue;
    }
    text = (whole ? "integers in " : "the values in ") + describe(k);
    found.low = std::min<long double>(found.low, c.low);
    found.high = std::max<long double>(found.high, c.high);
    found.error = std::max<long double>(found.error, whole ? c.whole_error : 0);
    first = found;
  }
  if (text.empty()) return {};
  if (others > 0) text += " and in " + std::to_string(others) + " more";
  text += " are rounded by up to " + short_text(first.error) + ", while they differ by " +
          short_text(first.high - first.low) + ", since float32 has ";
  if (first.tiny)
    return {"", text + "few digits below 1e-38; multiply the column by a constant if that matters"};
  // Elsewhere no constant makes the values smaller.
  const bool far = std::min(std::abs(first.low), std::abs(first.high)) > first.high - first.low;
  if (far)
    return {"", text + "24 bits; subtract a constant, such as " + first.constant() +
                    ", from the column if that matters"};
  return {"", text + "24 bits"};
}

void ColumnPrecision::check(const std::string& file, const Describe& describe,
                            Context& context) const {
  const Verdict said = judge(describe);
  if (!said.lost.empty()) throw DataError(file, "", said.lost);
  if (!said.rounded.empty()) context.log(LogLevel::warning, file + ": " + said.rounded);
}

}  // namespace semblance::numerics
