// SPDX-License-Identifier: MIT
#pragma once

#include "table_source.hpp"
#include "text/text_table.hpp"

namespace semblance {

/// Tables of numbers in text files, one row a line.
class Csv final : public TableSource {
 public:
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Csv> declare();

 private:
  std::string separator_ = "auto";
  std::string header_ = "auto";
  std::string label_ = "-1";
  std::vector<std::string> ignore_;
  std::string id_;
};

}  // namespace semblance
