// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// MNIST and what is stored like it.
class Idx final : public Source {
 public:
  void check_parameters() const override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Idx> declare();

 private:
  /// Names of the files to read; empty where there is none.
  struct Files {
    std::string train_images, train_labels, test_images, test_labels;
  };
  Files names() const;

  Path path_;
  Path train_images_, train_labels_, test_images_, test_labels_;
};

}  // namespace semblance
