// SPDX-License-Identifier: MIT
#include "semblance/row_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "semblance/error.hpp"

namespace semblance {
namespace {

/// The distinct values, ascending, and each entry's index among them.
struct Ranks {
  explicit Ranks(std::span<const std::int32_t> entries) : values(entries.begin(), entries.end()) {
    std::ranges::sort(values);
    const auto same = std::ranges::unique(values);
    values.erase(same.begin(), same.end());
    places.reserve(entries.size());
    for (const std::int32_t entry : entries)
      places.push_back(
          static_cast<std::size_t>(std::ranges::lower_bound(values, entry) - values.begin()));
  }
  std::vector<std::int32_t> values;
  std::vector<std::size_t> places;
};

/// The number of a group's samples in one class.
struct ClassCount {
  std::size_t of_class = 0;
  double rows = 0;
};

struct Group {
  std::vector<ClassCount> counts;  ///< of the classes in the group, ascending
  double rows = 0;
  double spread = 0;  ///< variance of the numbers of samples over all classes, times their square
};

/// The relative random change of the spread that determines a group's turn.
constexpr double order_chance = 0.2;

/// The number of orders tried; the best is used.
constexpr int orders = 4;

class Dealer {
 public:
  Dealer(std::span<const std::int32_t> labels, std::span<const std::int32_t> groups,
         std::span<const double> shares)
      : classes_(labels), ranks_(groups), groups_(ranks_.values.size()) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (const double share : shares) shares_.push_back(share / sum);
    count_rows();
    const std::size_t classes = classes_.values.size();
    loads_.assign(classes * parts(), 0);
    squares_.assign(classes, 0);
    dealt_.assign(classes, 0);
    only_part_.assign(classes, no_part);
    rows_.assign(parts(), 0);
  }

  std::vector<std::size_t> deal(Random& random) {
    std::vector<std::size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    // Without randomness, every seed would distribute groups of distinct spread alike.
    std::vector<std::pair<double, double>> keys;
    for (const Group& group : groups_) {
      const double factor = random.uniform(1 - order_chance, 1 + order_chance);
      keys.emplace_back(group.spread * factor * factor, group.rows * factor);
    }
    std::ranges::stable_sort(order, [&](auto a, auto b) { return keys[a] > keys[b]; });
    std::vector<std::size_t> part_of(groups_.size());
    for (const std::size_t g : order) put(groups_[g], part_of[g] = best_part(groups_[g]));
    std::vector<std::size_t> result;
    result.reserve(ranks_.places.size());
    for (const std::size_t g : ranks_.places) result.push_back(part_of[g]);
    return result;
  }

  /// The deviation of all classes, once all groups are distributed.
  double deviation() const {
    double sum = 0;
    for (const double squares : squares_) sum += std::sqrt(std::max(squares - 1, 0.0));
    return sum;
  }

 private:
  std::size_t parts() const { return shares_.size(); }

  void count_rows() {
    const std::size_t classes = classes_.values.size();
    totals_.assign(classes, 0);
    groups_with_.assign(classes, 0);
    std::vector<std::map<std::size_t, double>> counts(groups_.size());
    for (std::size_t i = 0; i < ranks_.places.size(); ++i) {
      ++counts[ranks_.places[i]][classes_.places[i]];
      ++totals_[classes_.places[i]];
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      double squares = 0;
      for (const auto& [of_class, rows] : counts[g]) {
        groups_[g].counts.push_back({of_class, rows});
        groups_[g].rows += rows;
        squares += rows * rows;
        ++groups_with_[of_class];
      }
      groups_[g].spread =
          static_cast<double>(classes) * squares - groups_[g].rows * groups_[g].rows;
    }
  }

  /// A class's share of samples in a part so far.
  double& load(std::size_t of_class, std::size_t part) { return loads_[of_class * parts() + part]; }

  /// The growth of the classes' deviations from even shares if the group goes to a part: for shares
  /// x_p of a class in parts of size w_p, sqrt(sum x_p^2 / w_p - (sum x_p)^2).
  double deviation(const Group& group, std::size_t part) {
    double sum = 0;
    for (const ClassCount& count : group.counts) {
      const std::size_t c = count.of_class;
      const double added = count.rows / totals_[c], x = load(c, part);
      const double squares = squares_[c] + added * (2 * x + added) / shares_[part];
      const double all = dealt_[c] + added;
      sum += std::sqrt(std::max(squares - all * all, 0.0));
    }
    return sum;
  }

  /// Whether a part would then have all groups of a class that has several.
  bool takes_a_whole_class(const Group& group, std::size_t part) const {
    return std::ranges::any_of(group.counts, [&](const ClassCount& count) {
      return only_part_[count.of_class] == part && groups_with_[count.of_class] == 1;
    });
  }

  std::size_t best_part(const Group& group) {
    std::vector<std::size_t> open;
    for (std::size_t part = 0; part < parts(); ++part)
      if (!takes_a_whole_class(group, part)) open.push_back(part);
    if (open.empty()) {
      open.resize(parts());
      std::iota(open.begin(), open.end(), std::size_t{0});
    }
    constexpr double same = 1e-9;
    std::size_t best = open.front();
    double least = deviation(group, best);
    for (const std::size_t part : open) {
      const double found = deviation(group, part);
      const bool ties = std::abs(found - least) <= same * std::max(found, least);
      if (ties ? rows_[part] / shares_[part] < rows_[best] / shares_[best] : found < least) {
        best = part;
        least = found;
      }
    }
    return best;
  }

  void put(const Group& group, std::size_t part) {
    for (const ClassCount& count : group.counts) {
      const std::size_t c = count.of_class;
      const double added = count.rows / totals_[c];
      squares_[c] += added * (2 * load(c, part) + added) / shares_[part];
      load(c, part) += added;
      const bool first = dealt_[c] == 0;
      dealt_[c] += added;
      only_part_[c] = first || only_part_[c] == part ? part : no_part;
      --groups_with_[c];
    }
    rows_[part] += group.rows;
  }

  Ranks classes_;
  Ranks ranks_;
  std::vector<Group> groups_;
  std::vector<double> shares_;            ///< sum 1
  std::vector<double> totals_;            ///< samples of each class
  std::vector<std::size_t> groups_with_;  ///< groups of each class not yet distributed
  std::vector<double> loads_;             ///< classes x parts
  std::vector<double> squares_;           ///< of each class
  std::vector<double> dealt_;             ///< distributed share of each class
  std::vector<std::size_t> only_part_;    ///< the part with all of a class so far; no_part: several
  std::vector<double> rows_;              ///< samples of each part
};

std::string count_text(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::size_t> deal_groups(std::span<const std::int32_t> labels,
                                     std::span<const std::int32_t> groups,
                                     std::span<const double> shares, Random random) {
  const Dealer start(labels, groups, shares);
  std::vector<std::size_t> best;
  double least = 0;
  for (int order = 0; order < orders; ++order) {
    Dealer dealer = start;
    auto parts = dealer.deal(random);
    if (order > 0 && dealer.deviation() >= least) continue;
    best = std::move(parts);
    least = dealer.deviation();
  }
  return best;
}

std::vector<std::int32_t> classes_of_one_group(std::span<const std::int32_t> labels,
                                               std::span<const std::int32_t> groups) {
  struct Seen {
    std::int32_t group;
    bool several;
  };
  std::map<std::int32_t, Seen> seen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0) continue;
    const auto [entry, fresh] = seen.try_emplace(labels[i], Seen{groups[i], false});
    if (!fresh && entry->second.group != groups[i]) entry->second.several = true;
  }
  std::vector<std::int32_t> single;
  for (const auto& [label, of] : seen)
    if (!of.several) single.push_back(label);
  return single;
}

std::vector<std::int32_t> classes_never_held_out(std::span<const std::int32_t> labels,
                                                 std::span<const std::int32_t> groups) {
  std::vector<std::int32_t> single = classes_of_one_group(labels, groups);
  std::set<std::int32_t> all(labels.begin(), labels.end());
  all.erase(all.begin(), all.lower_bound(0));
  if (2 * single.size() > all.size()) single.clear();
  return single;
}

std::vector<std::size_t> parts_by_group(std::span<const std::int32_t> labels,
                                        std::span<const std::int32_t> groups, std::size_t parts,
                                        Random random, const std::string& remedy) {
  const std::vector<std::int32_t> single = classes_never_held_out(labels, groups);
  std::set<std::int32_t> fixed;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (std::ranges::binary_search(single, labels[i])) fixed.insert(groups[i]);
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> free_labels, free_groups;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (fixed.contains(groups[i])) continue;
    rows.push_back(i);
    free_labels.push_back(labels[i]);
    free_groups.push_back(groups[i]);
  }
  const std::size_t left = std::set(free_groups.begin(), free_groups.end()).size();
  if (left < parts)
    throw Error(std::to_string(parts) + " folds by group need at least as many groups, but the " +
                "training rows are of " + std::to_string(left) +
                (fixed.empty()
                     ? ""
                     : " besides " + count_text(fixed.size(), "group") +
                           " that every fold has to learn from, as a class has no other") +
                "; " + remedy);
  const std::vector<double> equal(parts, 1.0);
  const auto dealt = deal_groups(free_labels, free_groups, equal, random);
  std::vector<std::size_t> part_of(labels.size(), no_part);
  for (std::size_t k = 0; k < rows.size(); ++k) part_of[rows[k]] = dealt[k];
  return part_of;
}

}  // namespace semblance
