// SPDX-License-Identifier: MIT
#pragma once

#include "text/text_table_source.hpp"

namespace semblance {

/// Tables of numbers and categories in text files, one row per line.
class Csv final : public TextTableSource {
 public:
  void apply_model(const NewData& data) override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  std::unique_ptr<RowLines> lines(const NewData& model) const override;
  static Declaration<Csv> declare();

 private:
  TableFormat format() const;

  std::string separator_ = "auto";
  std::string decimal_ = "point";
  std::string header_ = "auto";
  std::string label_ = "-1";
  std::vector<std::string> categorical_;
};

}  // namespace semblance
