// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/rows/csv_rows.hpp"

namespace semblance::serving {

/// How rows come, and scores go.
enum class Form { json, csv, npy, libsvm };

/// A body's Content-Type. Nothing where it is none that is read.
struct BodyType {
  Form form = Form::json;
  Header header = Header::find_out;  ///< of text/csv
};
std::optional<BodyType> body_type(std::string_view content_type);

/// The form of the answer that an Accept header likes best; JSON where it has no wish. Nothing
/// where it takes none.
std::optional<Form> answer_form(std::string_view accept);

}  // namespace semblance::serving
