// SPDX-License-Identifier: MIT
#include "table_source.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "byte_reader.hpp"

namespace semblance {

void TableSource::check_parameters() const {
  const int ways = !test_path_.value.empty() + (test_fraction_ > 0) + (test_rows_ > 0);
  if (ways > 1)
    throw Error(
        "only one of 'test_path', 'test_fraction' and 'test_rows' can say what the test "
        "rows are; remove the others");
  if (ways > 0 && role_ == "test")
    throw Error(
        "with 'role: test' all rows are for testing; remove 'test_path', 'test_fraction' "
        "and 'test_rows'");
}

std::string TableSource::train_file() const { return find_data_file(path_.value); }

std::string TableSource::test_file() const {
  return test_path_.value.empty() ? std::string() : find_data_file(test_path_.value);
}

std::vector<std::string> TableSource::files() const {
  std::vector<std::string> all = {train_file()};
  if (!test_path_.value.empty()) all.push_back(test_file());
  return all;
}

Outline TableSource::outline(Context& context) const { return open(context)->outline(); }

Split TableSource::split(std::size_t first, std::span<const std::int32_t> labels,
                         Context& context) const {
  const std::size_t rows = labels.size();
  const bool labelled = std::any_of(labels.begin(), labels.end(), [](auto l) { return l >= 0; });
  if (role_ == "test" || !labelled) return {0, rows, {}};
  if (test_fraction_ > 0) return stratified_split(labels, test_fraction_, context.random());
  const auto aside = static_cast<std::size_t>(test_rows_);
  if (aside >= first && aside > 0)
    throw DataError(train_file(), "",
                    "has " + std::to_string(first) + " rows, so 'test_rows: " +
                        std::to_string(aside) + "' leaves none to train on; make it smaller");
  return {first - aside, rows - first + aside, {}};
}

Split stratified_split(std::span<const std::int32_t> labels, double fraction, Random random) {
  std::vector<std::vector<std::size_t>> members(
      static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end()) + 1));
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] >= 0) members[labels[i]].push_back(i);
  std::vector<bool> test(labels.size(), false);
  for (auto& rows : members) {
    random.shuffle(std::span(rows));
    const auto wanted = static_cast<std::size_t>(std::llround(fraction * double(rows.size())));
    const std::size_t count = std::min(wanted, rows.empty() ? 0 : rows.size() - 1);
    for (std::size_t k = 0; k < count; ++k) test[rows[k]] = true;
  }
  Split split;
  split.order.resize(labels.size());
  std::iota(split.order.begin(), split.order.end(), std::size_t{0});
  const auto middle = std::stable_partition(split.order.begin(), split.order.end(),
                                            [&](std::size_t i) { return !test[i]; });
  split.train_rows = static_cast<std::size_t>(middle - split.order.begin());
  split.test_rows = labels.size() - split.train_rows;
  return split;
}

}  // namespace semblance
