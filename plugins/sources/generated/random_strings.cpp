// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "generated/drawn_source.hpp"
#include "semblance_tables/text_values.hpp"
#include "text/alphabet.hpp"

namespace semblance::sources {
namespace {

/// Makes strings of one class: a Markov chain of first order, and a motif somewhere in it.
class MarkovSource {
 public:
  /// The chance of a symbol after another is proportional to exp(contrast x normal).
  MarkovSource(std::size_t symbols, double contrast, std::size_t motif, Random& random)
      : symbols_(symbols), sums_(symbols * symbols) {
    for (std::size_t from = 0; from < symbols; ++from) {
      double sum = 0;
      for (std::size_t to = 0; to < symbols; ++to)
        sums_[from * symbols + to] = sum += std::exp(contrast * random.normal());
    }
    for (std::size_t k = 0; k < motif; ++k)
      motif_.push_back(static_cast<std::uint8_t>(random.below(symbols)));
  }

  /// Fills `out` with codes of symbols. Each symbol of the motif is replaced by a random one with
  /// probability `mutation`; a motif that is longer than the string is cut.
  void draw(double mutation, Random& random, std::span<float> out) const {
    std::size_t last = static_cast<std::size_t>(random.below(symbols_));
    for (float& symbol : out) symbol = static_cast<float>(last = after(last, random));
    const std::size_t size = std::min(motif_.size(), out.size());
    const std::size_t first = static_cast<std::size_t>(random.below(out.size() - size + 1));
    for (std::size_t k = 0; k < size; ++k) {
      const bool mutated = random.uniform() < mutation;
      const auto other = static_cast<std::uint8_t>(random.below(symbols_));
      out[first + k] = mutated ? other : motif_[k];
    }
  }

 private:
  std::uint8_t after(std::size_t symbol, Random& random) const {
    const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(symbol * symbols_);
    const auto end = begin + static_cast<std::ptrdiff_t>(symbols_);
    const auto drawn = std::upper_bound(begin, end, random.uniform() * end[-1]);
    return static_cast<std::uint8_t>(std::min(drawn, end - 1) - begin);
  }

  std::size_t symbols_;
  std::vector<double> sums_;  ///< of the chances of symbols 0..k after each one
  std::vector<std::uint8_t> motif_;
};

/// Strings of classes that differ in their transition probabilities and in a motif.
class RandomStrings final : public RowByRowSource {
 public:
  RandomStrings() : RowByRowSource(20, 20, {"per_class", "test_per_class"}) {}

  static Declaration<RandomStrings> declare() {
    Declaration<RandomStrings> declaration(
        "source/random_strings", "Generated strings of classes: Markov chains with motifs");
    declaration.parameter("classes", &RandomStrings::classes_, "number of classes", at_least(2),
                          at_most(1e5));
    declare_sizes(declaration, "strings of each class", 1e6);
    declaration
        .parameter("shortest", &RandomStrings::shortest_, "symbols of the shortest string",
                   at_least(1), at_most(1e6), unit("symbols"))
        .parameter("longest", &RandomStrings::longest_, "symbols of the longest string",
                   at_least(1), at_most(1e6), unit("symbols"))
        .parameter("alphabet", &RandomStrings::alphabet_, "the symbols, in any order, 2 to 256")
        .parameter("contrast", &RandomStrings::contrast_,
                   "how much classes differ in what follows what; 0: not at all", at_least(0),
                   at_most(10))
        .parameter("motif", &RandomStrings::motif_,
                   "length of each class's motif, cut in shorter strings; 0: none", at_least(0),
                   at_most(1e6), unit("symbols"))
        .parameter("mutation", &RandomStrings::mutation_,
                   "probability that a symbol of the motif is replaced by a random one",
                   at_least(0), at_most(1));
    return declaration.gives(LayoutKind::string)
        .random()
        .documentation(
            "A class has a Markov chain of first order: the chance of a symbol after another is "
            "proportional to exp(contrast x z), z standard normal, drawn for each pair of symbols. "
            "It also has a motif, a random string that stands somewhere in each of its strings, "
            "with a share of its symbols replaced by random ones. So the classes differ in how "
            "often short pieces occur (`feature/spectrum`) and in a piece that strings have in "
            "common (`similarity/local_alignment`). Lengths are uniform. Classes alternate row by "
            "row. A row depends only on the seed and its number. For strings like proteins: "
            "`alphabet: ACDEFGHIKLMNPQRSTVWY`.")
        .complexity(
            "memory: 1 byte per symbol; 8 bytes x classes x symbols of the alphabet squared")
        .example(R"(
        strings: {is: source/random_strings, motif: 12}
        bases:   {is: basis/random, count: 15, from: strings}
        edit:    {is: similarity/edit, from: strings, bases: bases}
        svm:     {is: solver/linear_svm, from: edit}
        test:    {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    if (shortest_ > longest_)
      throw Error("'shortest: " + std::to_string(shortest_) + "' is more than 'longest: " +
                  std::to_string(longest_) + "'; lower it or raise 'longest'");
    DrawnSource::check_parameters();
    if (!is_utf8(alphabet_))
      throw Error("'alphabet' is not UTF-8 text; save the pipeline as UTF-8");
    Alphabet alphabet;
    if (const char32_t twice = alphabet.add_all(alphabet_))
      throw Error("'alphabet' has the symbol " + describe_symbol(twice) +
                  " twice; give each symbol once");
    if (alphabet.size() < 2 || alphabet.size() > 256)
      throw Error("'alphabet' has " + std::to_string(alphabet.size()) +
                  (alphabet.size() == 1 ? " symbol" : " symbols") + "; give 2 to 256");
  }

 protected:
  bool per_class() const override { return true; }

  DrawnShape shape() const override {
    Alphabet alphabet;
    alphabet.add_all(alphabet_);
    return {Layout::string(static_cast<std::size_t>(longest_), alphabet.text()),
            numbered_classes(classes_),
            {},
            static_cast<std::size_t>(shortest_)};
  }

  DrawRow drawer(Random& random, RowSeeds& seeds) const override {
    seeds = RowSeeds(random);
    Alphabet alphabet;
    alphabet.add_all(alphabet_);
    std::vector<MarkovSource> classes;
    for (std::int64_t k = 0; k < classes_; ++k)
      classes.emplace_back(alphabet.size(), contrast_, static_cast<std::size_t>(motif_), random);
    return
        [classes, mutation = mutation_](std::size_t label, Random& stream, std::span<float> row) {
          classes[label].draw(mutation, stream, row);
          return 0.0;
        };
  }

 private:
  std::int64_t classes_ = 3;
  std::int64_t shortest_ = 30;
  std::int64_t longest_ = 50;
  std::string alphabet_ = "ACGT";
  double contrast_ = 0.3;
  std::int64_t motif_ = 10;
  double mutation_ = 0.1;
};

}  // namespace

ComponentEntry declare_random_strings() { return RandomStrings::declare().entry(); }

}  // namespace semblance::sources
