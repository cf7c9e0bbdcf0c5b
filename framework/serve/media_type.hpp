// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/rows/table_text.hpp"

namespace semblance::serving {

/// The form of rows and of scores.
enum class Form { json, csv, libsvm };

/// A body's Content-Type. Nothing for types that cannot be read.
struct BodyType {
  Form form = Form::json;
  Header header = Header::find_out;  ///< of text/csv
};
std::optional<BodyType> body_type(std::string_view content_type);

/// The preferred form of an Accept header; JSON without a preference. Nothing where it accepts no
/// available form.
std::optional<Form> answer_form(std::string_view accept);

}  // namespace semblance::serving
