// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cmath>

#include "solver_testing.hpp"

namespace semblance::common::testing {

/// Checks the errors of a multiclass solver for unusable training data: message_of(data).
template <class MessageOf>
void check_messages_of_unusable_data(const MessageOf& message_of) {
  Data data = clouds(300, 12, 3);
  data.values.values[12 * 270 + 2] = std::nanf("");
  CHECK(message_of(data) ==
        "training row 270, column 2 (both counted from 0) is NaN; training needs finite values");
  data = clouds(30, 12, 3);
  data.labels[7] = 3;
  CHECK(message_of(data) ==
        "training row 7 (counted from 0) has the label 3; labels must be in [0, 3)");
  data = clouds(30, 12, 3);
  data.classes.push_back("extra");
  CHECK(message_of(data) ==
        "class 'extra' has no training rows; train on more rows or remove the class");
  CHECK(message_of(clouds(30, 12, 1)) ==
        "a classifier needs at least 2 classes, but the data have 1");
}

inline void check_unusable_training_data(std::string_view id, const Parameters& parameters = {}) {
  check_messages_of_unusable_data(
      [&](const Data& data) { return training_error(id, data, parameters); });
}

}  // namespace semblance::common::testing
