// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/row_lines.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// Rows that a program has handed over in memory.
class ArraySource final : public Source, public ReadsLines {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  bool gives_weights() const override;
  bool gives_groups() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  std::unique_ptr<RowLines> lines(const NewData& model) const override;
  static Declaration<ArraySource> declare();

 private:
  std::unique_ptr<Dataset> rows(Context& context) const;

  std::string data_;
  double test_fraction_ = 0;
  std::string split_by_ = "auto";
  Path labels_;
  bool of_model_ = false;
  std::unique_ptr<Source> file_;  ///< for a model: reads the file that it is applied to
};

}  // namespace semblance
