// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

/// MNIST and data in the same format.
class Idx final : public Source, public SelectiveSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Idx> declare();

 private:
  /// Names of the files to read; empty: none.
  struct Files {
    std::string train_images, train_labels, test_images, test_labels;
  };
  Files names() const;
  Files new_names() const;
  Files named() const;
  static Files usual_names(const std::string& folder);
  std::size_t train_rows(std::size_t all) const { return model_ ? 0 : all; }

  Path path_;
  Path train_images_, train_labels_, test_images_, test_labels_;
  std::optional<NewData> model_;
};

}  // namespace semblance
