// SPDX-License-Identifier: MIT
// A kernel machine whose samples are spread over several ranks has the same bits as on one.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "ranks_testing.hpp"
#include "semblance/collectives_testing.hpp"
#include "semblance/similarity.hpp"

namespace semblance::kernel::ranks_test {
namespace {

using namespace testing;

/// Ranks have budgets of different sizes; decisions must still be the same.
void check_same(const KernelMaker& kernel, const Samples& samples,
                const Parameters& parameters = {}, const Parameters& of_kernel = gaussian,
                std::initializer_list<std::size_t> numbers = {2, 3, 4, 8},
                std::size_t budget = std::size_t{1} << 30) {
  check_same_on_ranks(
      samples.data.values, numbers,
      [&](const Rows& rows, Context& context) {
        const Outcome made = train_on(kernel, rows, samples, context, parameters, of_kernel);
        if (made.certificate != "converged") throw Error("it has not converged");
        return made.text;
      },
      [&](RankContext& context) {
        context.alone().budget = budget - (context.collectives().rank() << 10);
      });
}

void check_same(const Samples& samples, const Parameters& parameters = {},
                const Parameters& of_kernel = gaussian,
                std::initializer_list<std::size_t> numbers = {2, 3, 4, 8},
                std::size_t budget = std::size_t{1} << 30) {
  check_same("similarity/rbf", samples, parameters, of_kernel, numbers, budget);
}

/// Not finite if a row's first value is at least this.
class Exploding final : public RowSimilarity<Exploding> {
 public:
  static Declaration<Exploding> declare() {
    return Declaration<Exploding>("similarity/exploding", "For this test").symmetric();
  }
  float compare(std::span<const float> b, std::span<const float> x) const {
    if (x[0] > 900) throw Error("row " + std::to_string(static_cast<int>(x[0])) + " explodes");
    return b[0] * x[0] / 1e6F + b[1] * x[1];
  }
  bool positive_semidefinite() const noexcept override { return true; }
};

std::string message_alone(const KernelMaker& kernel, const Samples& samples,
                          const Parameters& parameters, const Parameters& of_kernel) {
  const MemoryRows all(samples.data.values);
  TestContext alone;
  try {
    train_on(kernel, all, samples, alone, parameters, of_kernel);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The result of all ranks, which must be the same.
std::string message_on_ranks(const KernelMaker& kernel, const Samples& samples, std::size_t ranks,
                             const Parameters& parameters, const Parameters& of_kernel,
                             std::size_t budget_of_last = std::size_t{1} << 30) {
  const MemoryRows all(samples.data.values);
  std::vector<std::string> messages(ranks);
  try {
    on_ranks(ranks, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      const std::size_t rank = context.collectives().rank();
      if (rank + 1 == ranks) context.alone().budget = budget_of_last;
      try {
        train_on(kernel, own, samples, context, parameters, of_kernel);
      } catch (const Error& error) {
        messages[rank] = error.what();
        throw;
      }
    });
  } catch (const Error&) {
    for (const std::string& message : messages) CHECK(message == messages.front());
  }
  return messages.front();
}

}  // namespace

TEST_CASE("ranks: two classes give the bits that one process does") {
  check_same(vectors(clouds(2600, 9, 2)), {}, gaussian, {2, 3, 8});
  check_same(vectors(clouds(2400, 5, 2)), {{"C", 3.0}, {"shrinking", true}}, gaussian, {4});
}

TEST_CASE("ranks: so does one against the rest") {
  check_same(vectors(clouds(2500, 7, 4)), against_rest, gaussian, {2, 3, 8});
}

TEST_CASE("ranks: so does one against one, with problems distributed over ranks") {
  check_same(vectors(clouds(2900, 6, 5)));
  check_same(vectors(clouds(2500, 4, 9)),
             {{"class_weights", class_weights(std::vector<double>(9, 0.7))}}, gaussian, {2, 4});
  check_same("similarity/polynomial", vectors(clouds(2500, 4, 3)), {{"C", 0.01}}, {}, {3});
}

TEST_CASE("ranks: so do kernel rows by rank where all samples are too many for one") {
  const Samples samples = vectors(clouds(2500, 90, 3));
  // All samples twice take 1.8 MB.
  check_same(samples, {{"C", 0.1}}, {{"gamma", 0.01}}, {2, 3}, std::size_t{3} << 20);
  check_same(samples, {{"C", 0.1}, against_rest.front()}, {{"gamma", 0.01}}, {3},
             std::size_t{4} << 20);
}

TEST_CASE("ranks: so does a kernel that learns its scale") {
  check_same(vectors(clouds(2600, 9, 2)), {}, {}, {2, 3, 8});
  check_same(vectors(clouds(2500, 4, 4)), {}, {}, {3});
  check_same(vectors(clouds(2500, 90, 3)), {{"C", 0.1}}, {}, {2, 3}, std::size_t{3} << 20);
}

TEST_CASE("ranks: so do series that differ in length") {
  check_same(own_kernel<MeanProduct>(), series(clouds(2500, 8, 2)), {}, {}, {3});
  check_same(own_kernel<MeanProduct>(), series(clouds(2500, 8, 4)), {}, {}, {2, 8});
}

TEST_CASE("ranks: some have no rows where there are few") {
  check_same(vectors(clouds(600, 6, 2)), {}, gaussian, {4, 8});
  check_same(vectors(clouds(600, 6, 4)), {}, gaussian, {8});
  check_same(vectors(clouds(300, 6, 3)), against_rest, gaussian, {3});
}

TEST_CASE("ranks: little memory decides what is computed again, never what comes out") {
  check_same(vectors(clouds(2500, 4, 2)), {{"C", 0.3}}, gaussian, {2, 3}, std::size_t{3} << 20);
}

TEST_CASE("ranks: a stop that one of them wants ends all, with a model and what is true of it") {
  for (const std::size_t classes : {2, 7})
    for (const bool beforehand : {true, false}) {
      const Samples samples = vectors(clouds(4000, 5, classes));
      const MemoryRows all(samples.data.values);
      std::vector<Outcome> outcomes(3);
      on_ranks(3, [&](RankContext& context) {
        const std::size_t rank = context.collectives().rank();
        const OwnRows own(all, context.collectives());
        if (beforehand && rank == 1) context.alone().stop = StopReason::deadline;
        std::jthread late;
        if (!beforehand && rank == 2)
          late = std::jthread([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            context.alone().stop = StopReason::deadline;
          });
        outcomes[rank] = train_on("similarity/rbf", own, samples, context,
                                  {{"C", 1e5}, {"tolerance", 1e-9}}, {{"gamma", 3.0}});
      });
      for (const Outcome& outcome : outcomes) {
        CHECK(outcome.certificate == "deadline");
        CHECK(outcome.text == outcomes.front().text);
      }
    }
}

TEST_CASE("ranks: the first row that is not finite is named, whoever has it") {
  for (const std::size_t classes : {2, 4}) {
    Samples samples = vectors(clouds(3000, 6, classes));
    samples.data.values.values[6 * 2900 + 1] = INFINITY;
    samples.data.values.values[6 * 1700 + 2] = std::nanf("");
    for (const std::size_t ranks : {1U, 3U, 8U})
      CHECK(
          message_on_ranks("similarity/rbf", samples, ranks, {}, gaussian) ==
          "training row 1700, column 2 (both counted from 0) is NaN; training needs finite values");
  }
}

TEST_CASE("ranks: so is a row whose kernel values are not finite") {
  for (const std::size_t classes : {2, 4}) {
    Samples samples = vectors(clouds(2600, 6, classes));
    for (std::size_t i = 0; i < 2600; ++i) samples.data.values.values[6 * i] = 3e10F;
    const Parameters large = {{"degree", std::int64_t{4}}};
    const std::string alone = message_alone("similarity/polynomial", samples, {}, large);
    CHECK(alone.starts_with("the kernel gives a value that is not finite for training row 0 "));
    for (const std::size_t ranks : {2U, 3U})
      CHECK(message_on_ranks("similarity/polynomial", samples, ranks, {}, large) == alone);
  }
}

TEST_CASE("ranks: the first problem that fails is reported, whichever rank has it") {
  Samples samples = vectors(clouds(2600, 6, 5));
  // Classes 2 and 4.
  for (std::size_t i = 0; i < 2600; ++i) {
    const std::size_t label = i % 5;
    samples.data.values.values[6 * i] = label == 2 || label == 4 ? 1000.0F + i : 1.0F;
  }
  const std::string alone = message_alone(own_kernel<Exploding>(), samples, {}, {});
  CHECK(alone.find("row 1002 explodes") != std::string::npos);
  for (const std::size_t ranks : {2U, 3U, 4U})
    CHECK(message_on_ranks(own_kernel<Exploding>(), samples, ranks, {}, {}) == alone);
}

TEST_CASE("ranks: where one has too little memory, all end with what is missing there") {
  const Samples samples = vectors(clouds(3000, 5, 2));
  for (const Parameters& parameters : {Parameters{}, against_rest})
    CHECK(message_on_ranks("similarity/rbf", samples, 3, parameters, gaussian, 200 << 10)
              .starts_with("a kernel machine on 3000 rows needs at least "));
}

TEST_CASE("ranks: what looks at all rows is learned on one") {
  const auto distributes = [](const auto& svm) { return svm->distributes(); };
  CHECK(distributes(kernel_svm("similarity/rbf", {}, gaussian)));
  CHECK(distributes(kernel_svm("similarity/rbf", against_rest, gaussian)));
  CHECK(distributes(kernel_svm("similarity/rbf", {}, {})));
  CHECK_FALSE(
      distributes(kernel_svm("similarity/rbf", {{"repair", std::string("square")}}, gaussian)));
  CHECK_FALSE(distributes(kernel_svm("similarity/precomputed", {}, {})));
}

}  // namespace semblance::kernel::ranks_test
