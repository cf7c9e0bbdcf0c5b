// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/testing.hpp"
#include "semblance/unknown_rows.hpp"

namespace semblance::testing {

/// A context that lists the rows that are noted as unknown.
class NotingContext final : public TestContext, public NotesUnknownRows {
 public:
  explicit NotingContext() : TestContext(1) {}
  void unknown_row(std::size_t row) override { rows.push_back(row); }

  std::vector<std::size_t> rows;
};

}  // namespace semblance::testing
