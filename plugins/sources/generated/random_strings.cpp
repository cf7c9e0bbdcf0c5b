// SPDX-License-Identifier: MIT
#include "generated/drawn_rows.hpp"
#include "generated/markov_source.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "text/alphabet.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

/// Strings of classes that differ in their transition probabilities and in a motif.
class RandomStrings final : public Source {
 public:
  static Declaration<RandomStrings> declare();

  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 private:
  DrawnSizes sizes() const;
  Layout layout() const;

  std::int64_t classes_ = 3;
  std::int64_t per_class_ = 20;
  std::int64_t test_per_class_ = 20;
  std::int64_t shortest_ = 30;
  std::int64_t longest_ = 50;
  std::string alphabet_ = "ACGT";
  double contrast_ = 0.3;
  std::int64_t motif_ = 10;
  double mutation_ = 0.1;
};

DrawnSizes RandomStrings::sizes() const {
  return {static_cast<std::size_t>(classes_), static_cast<std::size_t>(per_class_),
          static_cast<std::size_t>(test_per_class_)};
}

Layout RandomStrings::layout() const {
  Alphabet alphabet;
  alphabet.add_all(alphabet_);
  return Layout::string(static_cast<std::size_t>(longest_), alphabet.text());
}

void RandomStrings::check_parameters() const {
  if (shortest_ > longest_)
    throw Error("'shortest: " + std::to_string(shortest_) + "' is more than 'longest: " +
                std::to_string(longest_) + "'; lower it or raise 'longest'");
  if (per_class_ + test_per_class_ == 0)
    throw Error("'per_class' and 'test_per_class' are both 0, so there are no rows");
  if (!is_utf8(alphabet_)) throw Error("'alphabet' is not UTF-8 text; save the pipeline as UTF-8");
  Alphabet alphabet;
  if (const char32_t twice = alphabet.add_all(alphabet_))
    throw Error("'alphabet' has the symbol " + describe_symbol(twice) +
                " twice; give each symbol once");
  if (alphabet.size() < 2 || alphabet.size() > 256)
    throw Error("'alphabet' has " + std::to_string(alphabet.size()) +
                (alphabet.size() == 1 ? " symbol" : " symbols") + "; give 2 to 256");
}

Outline RandomStrings::outline(Context& context) const {
  Random random = context.random();
  return drawn_outline(layout(), sizes(), RowStreams(sizes(), random),
                       static_cast<std::size_t>(shortest_));
}

std::unique_ptr<Dataset> RandomStrings::open(Context& context) const {
  Random random = context.random();
  const RowStreams streams(sizes(), random);
  Alphabet alphabet;
  alphabet.add_all(alphabet_);
  std::vector<MarkovSource> classes;
  for (std::int64_t k = 0; k < classes_; ++k)
    classes.emplace_back(alphabet.size(), contrast_, static_cast<std::size_t>(motif_), random);
  return drawn_dataset<std::uint8_t>(
      layout(), sizes(), streams, static_cast<std::size_t>(shortest_),
      [&](std::size_t label, Random& row, std::span<std::uint8_t> out) {
        classes[label].draw(mutation_, row, out);
      },
      context);
}

Declaration<RandomStrings> RandomStrings::declare() {
  return Declaration<RandomStrings>("source/random_strings",
                                    "Generated strings of classes: Markov chains with motifs")
      .documentation(
          "A class has a Markov chain of first order: the chance of a symbol after another is "
          "proportional to exp(contrast x z), z standard normal, drawn for each pair of symbols. "
          "It "
          "also has a motif, a random string that stands somewhere in each of its strings, with a "
          "share of its symbols replaced by random ones. So the classes differ in how often short "
          "pieces occur (`feature/spectrum`) and in a piece that strings have in common "
          "(`similarity/local_alignment`). Lengths are uniform. Classes alternate row by row. A "
          "row depends only on the seed and its number. For strings like proteins: `alphabet: "
          "ACDEFGHIKLMNPQRSTVWY`.")
      .parameter("classes", &RandomStrings::classes_, "number of classes", at_least(2),
                 at_most(1e5))
      .parameter("per_class", &RandomStrings::per_class_, "training strings of each class",
                 at_least(0), at_most(1e6))
      .parameter("test_per_class", &RandomStrings::test_per_class_, "test strings of each class",
                 at_least(0), at_most(1e6))
      .parameter("shortest", &RandomStrings::shortest_, "symbols of the shortest string",
                 at_least(1), at_most(1e6), unit("symbols"))
      .parameter("longest", &RandomStrings::longest_, "symbols of the longest string", at_least(1),
                 at_most(1e6), unit("symbols"))
      .parameter("alphabet", &RandomStrings::alphabet_, "the symbols, in any order, 2 to 256")
      .parameter("contrast", &RandomStrings::contrast_,
                 "how much classes differ in what follows what; 0: not at all", at_least(0),
                 at_most(10))
      .parameter("motif", &RandomStrings::motif_,
                 "length of each class's motif, cut in shorter strings; 0: none", at_least(0),
                 at_most(1e6), unit("symbols"))
      .parameter("mutation", &RandomStrings::mutation_,
                 "probability that a symbol of the motif is replaced by a random one", at_least(0),
                 at_most(1))
      .gives(LayoutKind::string)
      .random()
      .complexity("memory: 1 byte per symbol; 8 bytes x classes x symbols of the alphabet squared")
      .example(R"(
        strings: {is: source/random_strings, motif: 12}
        bases:   {is: basis/random, count: 15, from: strings}
        edit:    {is: similarity/edit, from: strings, bases: bases}
        svm:     {is: solver/linear_svm, from: edit}
        test:    {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_random_strings() { return RandomStrings::declare().entry(); }

}  // namespace semblance::sources
