// SPDX-License-Identifier: MIT
#pragma once

#include "table_source.hpp"

namespace semblance {

/// LIBSVM's sparse text format, read into dense rows.
class LibsvmFile final : public TableSource {
 public:
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<LibsvmFile> declare();

 private:
  std::int64_t dimension_ = 0;
};

}  // namespace semblance
