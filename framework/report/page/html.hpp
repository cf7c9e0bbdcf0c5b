// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// Small pieces of HTML that all sections of the report are made of.
namespace semblance::html {

/// `text` as content or quoted attribute value: <, >, &, " and ' become references, control
/// characters and bytes that are not UTF-8 the replacement character.
std::string escaped(std::string_view text);

/// "error_rate" as words, not yet escaped: "error rate".
std::string words(std::string_view name);

/// The same for a metric, whose unit stands with its value: "train_seconds" is "train time".
std::string metric_words(std::string_view name);

/// Whether a metric or column of this name is a share of a whole, to be shown as a percentage.
bool is_share(std::string_view name);

/// A share in percent without the sign: "12.34".
std::string percent(double share, int decimals);

/// A reported value as text, not yet escaped: shares as percentages, the rest as quantities.
std::string value_text(std::string_view name, double value);

}  // namespace semblance::html
