// SPDX-License-Identifier: MIT
#pragma once

#include "text/text_table_source.hpp"

namespace semblance {

/// Tables in Weka's .arff: numeric and nominal attributes.
class Arff final : public TextTableSource {
 public:
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Arff> declare();

 private:
  std::string label_ = "-1";
};

}  // namespace semblance
