// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>

#include "listed_file.hpp"
#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

/// Test pairs from a protocol file, such as those of Labeled Faces in the Wild.
class ListedPairs final : public Pairs {
 public:
  static Declaration<ListedPairs> declare();
  std::vector<std::string> files() const override { return {path_.value}; }
  bool sets_rows_aside() const noexcept override { return true; }
  std::vector<std::int64_t> set_aside(const PairExamples& all, Context& context) override;
  PairSelection select(const PairExamples& examples, Context& context) override;

 private:
  /// The row numbers of each class, in the order of the user's data: 'NAME n' is the n-th.
  using Names = std::map<std::string, std::vector<std::int64_t>>;
  /// Data excluded from training in addition to the test pairs (pairwise SVM, section 4).
  enum class Task { pair, interexample, interclass };

  std::vector<std::vector<pairs::NamedPair>> read(const Context& context) const;
  bool tested(std::size_t fold) const noexcept {
    return fold_ == 0 || static_cast<std::size_t>(fold_) == fold + 1;
  }
  static Names names_of(const PairExamples& examples);
  std::int64_t number_of(const pairs::NamedSample& sample, const Names& names,
                         std::size_t line) const;
  std::set<std::int64_t> tested_numbers(const std::vector<std::vector<pairs::NamedPair>>& folds,
                                        const Names& names) const;
  std::vector<std::int64_t> kept_from_training(const std::set<std::int64_t>& numbers,
                                               const PairExamples& all, Task task) const;
  bool trains_on(const std::set<std::string>& classes,
                 const std::vector<std::vector<pairs::NamedPair>>& folds) const;
  Task chosen_task(const std::vector<std::vector<pairs::NamedPair>>& folds,
                   const std::set<std::int64_t>& numbers, const PairExamples& all,
                   Context& context) const;
  PairSelection listed(const std::vector<std::vector<pairs::NamedPair>>& folds,
                       const PairExamples& examples) const;

  Path path_;
  std::int64_t fold_ = 0;
  std::string task_ = "automatic";
  std::unique_ptr<Pairs> train_;
  Names names_;  ///< for all rows of the source, once known
};

}  // namespace semblance
