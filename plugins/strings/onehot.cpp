// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/row_error.hpp"
#include "semblance/unknown_rows.hpp"
#include "string_panels.hpp"

namespace semblance::strings {
namespace {

/// Indicators of the symbol at each position.
class Onehot final : public Feature {
 public:
  static Declaration<Onehot> declare() {
    return Declaration<Onehot>("feature/onehot",
                               "Which symbol of the alphabet stands at each place")
        .accepts({LayoutKind::string})
        .gives(LayoutKind::vector)
        .documentation(
            "A column for each place of the longest string and each symbol of the alphabet, place "
            "by place: 1 where that symbol stands there, else 0. Places beyond a shorter string's "
            "end are all zero, and so are those of a symbol that no training string has. A new "
            "string that is longer is refused. A warning counts new strings that share no symbol "
            "with the training strings. For strings whose places mean the same, as those around a "
            "splice site.")
        .reference("the indicator coding of categorical variables")
        .complexity("one value for each place and symbol")
        .example(R"(
        words:  {is: source/random_strings}
        places: {is: feature/onehot, from: words}
        svm:    {is: solver/linear_svm, from: places}
        test:   {is: evaluator/classification, from: svm})");
  }

  Layout bind(const Layout& input) override {
    check_alphabet(input);
    symbols_ = symbols_of(input).size();
    if (input.width > most_columns / symbols_)
      throw Error("strings of up to " + std::to_string(input.width) + " symbols out of " +
                  std::to_string(symbols_) + " take " + std::to_string(input.width) + " x " +
                  std::to_string(symbols_) + " columns, above " + std::to_string(most_columns) +
                  "; use feature/spectrum, whose columns do not depend on the length");
    return Layout::vector(input.width * symbols_);
  }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    const SymbolCodes codes(symbols_);
    for (std::size_t i = 0; i < in.rows; ++i) {
      context.check_stop();
      in_row(i, [&] {
        if (encode(codes.of_row(in.row_span(i)), out.row_span(i))) note_unknown_row(context, i);
      });
    }
  }

 private:
  /// Whether the string has symbols, and training strings have none of them.
  bool encode(std::span<const Symbol> string, std::span<float> out) const {
    std::ranges::fill(out, 0.0f);
    if (string.size() * symbols_ > out.size())
      throw Error("the string has " + std::to_string(string.size()) +
                  " symbols, and there are columns for the first " +
                  std::to_string(out.size() / symbols_) +
                  ", the length of the longest training string; cut it, or use feature/spectrum");
    bool unknown = !string.empty();
    for (std::size_t k = 0; k < string.size(); ++k) {
      if (string[k] >= symbols_) continue;
      out[k * symbols_ + string[k]] = 1;
      unknown = false;
    }
    return unknown;
  }

  std::size_t symbols_ = 0;  // of the alphabet
};

}  // namespace

ComponentEntry declare_onehot() { return Onehot::declare().entry(); }

}  // namespace semblance::strings
