// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

/// CIFAR-10 in its binary version: six files of 10,000 records, each a label byte and 32x32
/// pixels in three planes.
class Cifar10 final : public Source, public SelectiveSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Cifar10> declare();

 private:
  /// A file to read, and which of its images.
  struct Batch {
    std::string file;
    std::size_t rows = 0;
    std::int64_t first = 0;  ///< number of its first image
  };
  std::vector<Batch> batches() const;
  std::vector<Batch> new_batches() const;
  std::string names_file() const;
  std::vector<std::string> class_names() const;

  Path path_;
  std::vector<std::int64_t> train_folds_ = {1, 2, 3, 4, 5};
  std::int64_t images_per_batch_ = 10000;
  bool test_ = true;
  std::optional<NewData> model_;
};

}  // namespace semblance
