// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {

/// Gives each row a random stream of its own, which depends on its number among the training rows
/// or among the test rows: a row depends neither on how many there are nor on how many of the
/// others.
struct RowSeeds {
  std::uint64_t train = 0, test = 0;

  RowSeeds() = default;
  explicit RowSeeds(Random& random) : train(random.bits()), test(random.bits()) {}
};

/// Fills a row, given its class where classes alternate. Returns the number to predict, or the
/// class where they do not alternate.
using DrawRow = std::function<double(std::size_t label, Random& random, std::span<float> row)>;

/// What rows are drawn.
struct DrawnShape {
  Layout layout;
  std::vector<std::string> classes = {};
  std::vector<std::string> targets = {};
  /// Rows have from here to layout.width steps, uniformly: the first draw of a row's stream.
  /// Nothing: all have the layout's size.
  std::optional<std::size_t> shortest = {};
  bool alternates = true;  ///< classes alternate row by row
  /// Rows are drawn as they are read, and never stored.
  bool stored = true;
};

/// The names "0", "1" and so on.
std::vector<std::string> numbered_classes(std::int64_t count);

/// Sources that draw so many rows for training and so many for testing, in all or of each class.
class DrawnSource : public Source {
 public:
  void check_parameters() const override;

 protected:
  /// How the sizes are called; `things` are what the rows are.
  struct SizeNames {
    const char* train = "train";
    const char* test = "test";
    const char* things = "rows";
  };
  DrawnSource(std::int64_t train, std::int64_t test) : train_(train), test_(test) {}
  DrawnSource(std::int64_t train, std::int64_t test, const SizeNames& names)
      : train_(train), test_(test), names_(names) {}

  /// Adds the sizes to the declaration of T. `of` completes "training ".
  template <class T>
  static void declare_sizes(Declaration<T>& declaration, const std::string& of, double most) {
    const SizeNames names = static_cast<const DrawnSource&>(T()).names_;
    declaration
        .parameter(names.train, &DrawnSource::train_, "training " + of, at_least(0), at_most(most))
        .parameter(names.test, &DrawnSource::test_, "test " + of, at_least(0), at_most(most));
  }

  std::int64_t train_, test_;

 private:
  SizeNames names_;
};

/// Those whose rows are drawn one by one, each from its own stream.
class RowByRowSource : public DrawnSource {
 public:
  bool selects_rows() const override;
  TargetKind target_kind() const override {
    return shape().targets.empty() ? TargetKind::classes : TargetKind::numbers;
  }
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 protected:
  using DrawnSource::DrawnSource;

  virtual DrawnShape shape() const = 0;
  /// Takes the seeds of the rows from the source's random stream, before or after other draws.
  virtual DrawRow drawer(Random& random, RowSeeds& seeds) const = 0;
  /// Whether the sizes are those of each class.
  virtual bool per_class() const { return false; }

 private:
  Outline sizes(const DrawnShape& shape) const;
};

}  // namespace semblance::sources
