// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// CIFAR-10 in its binary version: six files of 10,000 records, each a label byte and 32x32
/// pixels in three planes.
class Cifar10 final : public Source {
 public:
  void check_parameters() const override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Cifar10> declare();

 private:
  std::vector<std::string> batches() const;
  std::vector<std::int64_t> numbers() const;
  std::string names_file() const;
  std::vector<std::string> class_names() const;

  Path path_;
  std::vector<std::int64_t> train_folds_ = {1, 2, 3, 4, 5};
  std::int64_t images_per_batch_ = 10000;
  bool test_ = true;
};

}  // namespace semblance
