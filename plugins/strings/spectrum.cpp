// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "semblance/new_symbols.hpp"
#include "semblance/row_error.hpp"
#include "semblance/unknown_rows.hpp"
#include "string_panels.hpp"

namespace semblance::strings {
namespace {

/// The number of occurrences of each sequence of k symbols in a string.
class Spectrum final : public Feature {
 public:
  static Declaration<Spectrum> declare();
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;

 private:
  /// Whether the string has words, and none of them has a column.
  bool count(std::span<const float> in, std::span<float> out) const;
  /// Returns the sum of squares of the counts of all words that have no column.
  double count_columns(std::span<const Symbol> symbols, std::span<float> out) const;
  void count_hashes(std::span<const Symbol> symbols, std::span<const std::uint64_t> new_hashes,
                    std::span<float> out) const;

  std::int64_t shortest_ = 1;
  std::int64_t longest_ = 3;
  std::int64_t mismatch_ = 0;
  std::string values_ = "counts";
  bool ends_ = false;
  bool unit_length_ = true;
  std::int64_t hashed_ = 0;
  std::size_t alphabet_ = 0;
  std::size_t symbols_ = 0;  // of the alphabet, and that of the ends
  Symbol end_ = no_symbol;   // no symbol: no ends
  std::vector<std::uint64_t> symbol_hashes_;
};

/// The number of words of `count` symbols; at most `most_columns` + 1.
std::size_t words_of(std::size_t symbols, std::size_t count) {
  std::size_t words = 1;
  for (std::size_t k = 0; k < count; ++k) {
    words *= symbols;
    if (words > most_columns) return most_columns + 1;
  }
  return words;
}

/// The finalizer of SplitMix64: every bit of the result depends on every bit of x.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// The hash of a symbol's text (FNV-1a), so that a word has the same hash in every alphabet.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return mixed(hash);
}

/// Calls visit(word) for the word and for all words that differ from it in up to `mismatches`
/// places by one of `symbols` symbols. End marks are not replaced.
template <class Visit>
void visit_neighbours(std::span<Symbol> word, std::size_t place, std::size_t mismatches,
                      std::size_t symbols, Symbol end, const Visit& visit) {
  visit(std::span<const Symbol>(word));
  if (mismatches == 0) return;
  for (std::size_t k = place; k < word.size(); ++k) {
    const Symbol kept = word[k];
    if (kept == end) continue;
    for (std::size_t other = 0; other < symbols; ++other) {
      if (other == kept) continue;
      word[k] = static_cast<Symbol>(other);
      visit_neighbours(word, k + 1, mismatches - 1, symbols, end, visit);
    }
    word[k] = kept;
  }
}

/// Calls visit(word) for each word of `length` symbols in the string, and for its neighbours.
template <class Visit>
void visit_words(std::span<const Symbol> string, std::size_t length, std::size_t mismatches,
                 std::size_t symbols, Symbol end, const Visit& visit) {
  std::vector<Symbol> word(length);
  for (std::size_t k = 0; k + length <= string.size(); ++k) {
    if (length == 1 && string[k] == end) continue;  // an end alone tells nothing
    std::copy_n(string.begin() + static_cast<std::ptrdiff_t>(k), length, word.begin());
    visit_neighbours(word, 0, mismatches, symbols, end, visit);
  }
}

Declaration<Spectrum> Spectrum::declare() {
  return Declaration<Spectrum>("feature/spectrum", "Counts of a string's words of k symbols")
      .parameter("shortest", &Spectrum::shortest_, "fewest symbols of a word", at_least(1),
                 at_most(64), unit("symbols"))
      .parameter("longest", &Spectrum::longest_, "most symbols of a word", at_least(1), at_most(64),
                 unit("symbols"))
      .parameter("mismatch", &Spectrum::mismatch_,
                 "a word of the string counts for all words that differ from it in at most this "
                 "many places; below `shortest`",
                 at_least(0), at_most(3), unit("symbols"))
      .parameter("ends", &Spectrum::ends_,
                 "add a symbol before and after each string, so that words of two or more symbols "
                 "show how strings begin and end")
      .parameter("values", &Spectrum::values_,
                 "counts; binary: 1 for each word that the string has, however often",
                 choices({"counts", "binary"}))
      .parameter("unit_length", &Spectrum::unit_length_,
                 "divide each row by its length, to which words without a column contribute")
      .parameter("hashed", &Spectrum::hashed_,
                 "number of columns that a hash of the word chooses from; 0: one column per word",
                 at_least(0), at_most(static_cast<double>(most_columns)), unit("columns"))
      .accepts({LayoutKind::string})
      .gives(LayoutKind::vector)
      .documentation(
          "A column for each word that the alphabet allows: the shorter words first, those of one "
          "length in alphabetical order. Where these are too many (more than 262,144), give a "
          "number of columns by `hashed`: a word then counts +1 or -1 in one column, both chosen "
          "by a hash of its text, so that inner products keep their expectation; the fewer "
          "columns, the more words meet in one. The hash depends on the text of the word alone. A "
          "string that is shorter than a word has none of that length; a row of zeros stays one. "
          "With ends, there is a column for each word of the alphabet and that symbol, which comes "
          "last. As a word of one symbol it is counted twice in every string: that column is "
          "constant; shortest: 2 omits it. Words with a symbol that no training string has are "
          "counted where columns are hashed; else they have no column, but they count for the "
          "length by which `unit_length` divides the row, and with mismatches for neighbours that "
          "have one. A warning counts the strings that have no other words.")
      .reference(
          "Leslie, Eskin & Noble 2002, The spectrum kernel; Leslie et al. 2004, Mismatch string "
          "kernels for discriminative protein classification; Weinberger et al. 2009, Feature "
          "hashing for large scale multitask learning")
      .complexity(
          "a visit for each symbol and length; with mismatches, for each neighbour of a word, of "
          "which there are k (A - 1) at one mismatch, for words of k out of A symbols")
      .example(R"(
        words: {is: source/random_strings}
        pairs: {is: feature/spectrum, longest: 2, from: words}
        svm:   {is: solver/linear_svm, from: pairs}
        test:  {is: evaluator/classification, from: svm})");
}

void Spectrum::check_parameters() const {
  if (longest_ < shortest_)
    throw Error("longest: " + std::to_string(longest_) + " is below shortest: " +
                std::to_string(shortest_) + "; words have `shortest` to `longest` symbols");
  if (mismatch_ > 0 && mismatch_ >= shortest_)
    throw Error("mismatch: " + std::to_string(mismatch_) +
                " lets words of shortest: " + std::to_string(shortest_) +
                " differ in all their symbols; raise shortest, or lower mismatch");
}

Layout Spectrum::bind(const Layout& input) {
  check_alphabet(input);
  const auto symbols = symbols_of(input);
  alphabet_ = symbols.size();
  symbols_ = alphabet_ + (ends_ ? 1 : 0);
  end_ = ends_ ? static_cast<Symbol>(alphabet_) : no_symbol;
  symbol_hashes_.clear();
  for (const std::string& symbol : symbols) symbol_hashes_.push_back(hash_of(symbol));
  if (ends_) symbol_hashes_.push_back(hash_of(""));  // the text of no symbol
  if (hashed_ > 0) return Layout::vector(static_cast<std::size_t>(hashed_));
  std::size_t columns = 0;
  std::string sum;
  for (auto k = shortest_; k <= longest_ && columns <= most_columns; ++k) {
    columns += words_of(symbols_, static_cast<std::size_t>(k));
    sum += (sum.empty() ? "" : " + ") + std::to_string(symbols_) + "^" + std::to_string(k);
  }
  if (columns > most_columns)
    throw Error("words of " + std::to_string(shortest_) + " to " + std::to_string(longest_) +
                " symbols out of " + std::to_string(symbols_) + " take " + sum +
                " columns, above " + std::to_string(most_columns) +
                "; lower longest, or give a number of columns by hashed, such as hashed: 16384");
  return Layout::vector(columns);
}

double Spectrum::count_columns(std::span<const Symbol> symbols, std::span<float> out) const {
  std::map<std::vector<Symbol>, double> unknown;  // words with a symbol that no training string has
  std::size_t first = 0;
  for (auto length = static_cast<std::size_t>(shortest_);
       length <= static_cast<std::size_t>(longest_); ++length) {
    visit_words(symbols, length, static_cast<std::size_t>(mismatch_), alphabet_, end_,
                [&](std::span<const Symbol> word) {
                  if (std::ranges::any_of(word, [&](Symbol s) { return s >= symbols_; })) {
                    ++unknown[{word.begin(), word.end()}];
                    return;
                  }
                  std::size_t column = 0;
                  for (const Symbol symbol : word) column = column * symbols_ + symbol;
                  out[first + column] += 1;
                });
    first += words_of(symbols_, length);
  }
  const bool binary = values_ == "binary";
  if (binary)
    for (float& value : out) value = std::min(value, 1.0f);
  double squares = 0;
  for (const auto& [word, count] : unknown) squares += binary ? 1 : count * count;
  return squares;
}

void Spectrum::count_hashes(std::span<const Symbol> symbols,
                            std::span<const std::uint64_t> new_hashes, std::span<float> out) const {
  const auto hash_of_symbol = [&](Symbol symbol) {
    return symbol < symbols_ ? symbol_hashes_[symbol] : new_hashes[symbol - symbols_];
  };
  std::vector<std::uint64_t> hashes;
  for (auto length = static_cast<std::size_t>(shortest_);
       length <= static_cast<std::size_t>(longest_); ++length)
    visit_words(symbols, length, static_cast<std::size_t>(mismatch_), alphabet_, end_,
                [&](std::span<const Symbol> word) {
                  std::uint64_t hash = 0;
                  for (const Symbol symbol : word)
                    hash = mixed(hash + 0x9e3779b97f4a7c15ULL + hash_of_symbol(symbol));
                  hashes.push_back(hash);
                });
  if (values_ == "binary") {
    std::ranges::sort(hashes);
    hashes.erase(std::ranges::unique(hashes).begin(), hashes.end());
  }
  for (const std::uint64_t hash : hashes)
    out[(hash >> 1) % out.size()] += (hash & 1) == 0 ? 1.0f : -1.0f;
}

void Spectrum::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    in_row(i, [&] {
      if (count(in.row_span(i), out.row_span(i))) note_unknown_row(context, i);
    });
  }
}

bool Spectrum::count(std::span<const float> in, std::span<float> out) const {
  std::ranges::fill(out, 0.0f);
  SymbolCodes codes(alphabet_);
  const std::size_t offsets[] = {0, in.size()};
  codes.add({in.data(), 1, in.size(), 0, offsets});
  auto symbols = codes.of_row(in);
  if (ends_) {
    // The end has the number after the alphabet, so new symbols move up.
    for (Symbol& symbol : symbols)
      if (symbol >= alphabet_) ++symbol;
    symbols.insert(symbols.begin(), end_);
    symbols.push_back(end_);
  }
  std::vector<std::uint64_t> new_hashes;
  for (const char32_t symbol : codes.added()) new_hashes.push_back(hash_of(utf8(symbol)));
  double unknown = 0, known = 0;
  if (hashed_ > 0)
    count_hashes(symbols, new_hashes, out);
  else
    unknown = count_columns(symbols, out);
  for (const float value : out) known += double(value) * value;
  if (unit_length_ && known > 0) {
    const double scale = 1 / std::sqrt(known + unknown);
    for (float& value : out) value = static_cast<float>(value * scale);
  }
  return known == 0 && unknown > 0;
}

}  // namespace

ComponentEntry declare_spectrum() { return Spectrum::declare().entry(); }

}  // namespace semblance::strings
