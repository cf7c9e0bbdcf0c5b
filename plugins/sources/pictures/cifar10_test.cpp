// SPDX-License-Identifier: MIT
#include <cstring>

#include "semblance/collectives_testing.hpp"
#include "sources_testing.hpp"

namespace cifar10_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

using Folds = std::vector<std::int64_t>;

/// 10,000 records whose labels and pixels follow from their number.
std::string batch(int seed) {
  std::string bytes(10000 * 3073, '\0');
  for (std::size_t i = 0; i < 10000; ++i) {
    bytes[i * 3073] = char((i + seed) % 10);
    std::memset(bytes.data() + i * 3073 + 1, int(i + seed) % 251, 3072);
  }
  return bytes;
}

/// The source of a rank, which wants some rows of the first 600 of each batch.
std::unique_ptr<Source> source_of_rank(const TempFolder& folder, WantedRows wanted) {
  auto source = make_component<Source>("source/cifar10", {{"path", folder.path()},
                                                          {"train_folds", Folds{1, 2}},
                                                          {"images_per_batch", std::int64_t{600}}});
  source->keep_only(std::move(wanted));
  return source;
}

}  // namespace

TEST_CASE("ranks decompress a file once, for all of them") {
  // Each rank would find other rows in the files that it need not read.
  const TempFolder folders[2];
  for (const int rank : {0, 1}) {
    folders[rank].write("data_batch_1.bin.gz", batch(rank == 0 ? 1 : 100));
    folders[rank].write("data_batch_2.bin.gz", batch(rank == 1 ? 2 : 100));
    folders[rank].write("test_batch.bin.gz", batch(rank == 0 ? 7 : 100));
  }
  const WantedRows wanted[] = {WantedRows::of({0, 1, 599, 10002}),
                               WantedRows::of({3, 10000, 10599, 50001})};
  const std::vector<std::vector<std::size_t>> rows = {{0, 1, 599, 602}, {3, 600, 1199, 1201}};
  for (const std::size_t threads : {1U, 2U})
    on_ranks(
        2,
        [&](RankContext& context) {
          const std::size_t rank = context.collectives().rank();
          const auto data = source_of_rank(folders[rank], wanted[rank])->open(context);
          REQUIRE(data->outline().rows() == 1800);
          const auto seed = [](std::size_t row) { return row < 600 ? 1 : row < 1200 ? 2 : 7; };
          for (std::size_t row = 0; row < 1800; ++row)
            REQUIRE(data->labels()[row] == (static_cast<int>(row % 600) + seed(row)) % 10);
          for (const std::size_t row : rows[rank]) {
            FloatMatrix image(1, 3072);
            data->read(row, image.view());
            CHECK(image.values.back() == float((static_cast<int>(row % 600) + seed(row)) % 251));
          }
        },
        threads);
}

TEST_CASE("ranks that read together stop together") {
  const TempFolder folder;
  for (const char* name : {"data_batch_1.bin.gz", "data_batch_2.bin.gz", "test_batch.bin.gz"})
    folder.write(name, batch(1));
  std::atomic<int> stopped = 0;
  on_ranks(2, [&](RankContext& context) {
    // Sources see their own rank's wish.
    class Own final : public Context {
     public:
      explicit Own(RankContext& all) : all_(all) {}
      void log(LogLevel, std::string_view) override {}
      Random random() const override { return all_.random(); }
      StopReason stop_requested() const noexcept override {
        return rank_ == 1 ? StopReason::deadline : StopReason::none;
      }
      void progress(double, double) override {}
      std::size_t memory_budget() const noexcept override { return all_.memory_budget(); }
      std::size_t threads() const noexcept override { return 1; }
      void parallel_for(std::size_t count, const std::function<void(std::size_t)>& f) override {
        all_.parallel_for(count, f);
      }
      Collectives& collectives() noexcept override { return all_.collectives(); }

     private:
      RankContext& all_;
      std::size_t rank_ = all_.collectives().rank();
    } own(context);
    try {
      source_of_rank(folder, WantedRows::of({0, 10000}))->open(own);
    } catch (const Cancelled&) {
      ++stopped;
    }
  });
  CHECK(stopped == 2);
}

TEST_CASE("folds come in the order asked for, plain or compressed, test images last") {
  const TempFolder folder;
  folder.write("data_batch_1.bin.gz", batch(1));
  folder.write("data_batch_3.bin", batch(3));
  folder.write("test_batch.bin.zst", batch(7));
  folder.write("batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  TestContext context;
  const auto source = make_component<Source>(
      "source/cifar10", {{"path", folder.path()}, {"train_folds", Folds{3, 1}}});
  CHECK(source->files().size() == 4);
  const auto data = open_checked(*source, context);
  CHECK(data->outline().train_rows == 20000);
  CHECK(data->outline().test_rows == 10000);
  CHECK(data->outline().classes[9] == "j");
  CHECK(data->bytes() < 31 * 3'000'000);
  for (const auto& [row, seed] : {std::pair{0, 3}, {9999, 3}, {10000, 1}, {20005, 7}}) {
    FloatMatrix image(1, 3072);
    data->read(row, image.view());
    CHECK(data->labels()[row] == (row % 10000 + seed) % 10);
    CHECK(data->number(row) == (seed == 7 ? 50000 : (seed - 1) * 10000) + row % 10000);
    for (const float x : image.values) REQUIRE(x == float((row % 10000 + seed) % 251));
  }
}

TEST_CASE("the first images of each batch") {
  const TempFolder folder;
  folder.write("data_batch_2.bin", batch(2));
  folder.write("data_batch_5.bin", batch(5));
  folder.write("test_batch.bin", batch(7));
  TestContext context;
  const auto source =
      make_component<Source>("source/cifar10", {{"path", folder.path()},
                                                {"train_folds", Folds{2, 5}},
                                                {"images_per_batch", std::int64_t{730}}});
  const auto data = open_checked(*source, context);
  CHECK(data->outline().train_rows == 1460);
  CHECK(data->outline().numbered_rows == 50000);
  CHECK(data->number(729) == 10729);
  CHECK(data->number(730) == 40000);
  CHECK(data->number(1460) == 50000);
  CHECK(data->outline().test_rows == 730);
  for (const auto& [row, seed] : {std::pair{0, 2}, {729, 2}, {730, 5}, {1461, 7}}) {
    FloatMatrix image(1, 3072);
    data->read(row, image.view());
    CHECK(data->labels()[row] == (row % 730 + seed) % 10);
    for (const float x : image.values) REQUIRE(x == float((row % 730 + seed) % 251));
  }
}

TEST_CASE("cifar10's parameters are checked, and the outline needs no batch") {
  CHECK_THROWS_WITH_AS(make_component<Source>("source/cifar10", {{"train_folds", Folds{2, 2}}}),
                       doctest::Contains("twice"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/cifar10", {{"train_folds", Folds{}}, {"test", false}}),
      doctest::Contains("no rows"), Error);
  TestContext context;
  const Outline outline =
      make_component<Source>("source/cifar10", {{"path", std::string("/nowhere")}, {"test", false}})
          ->outline(context);
  CHECK(outline.rows() == 50000);
  CHECK(outline.layout == Layout::image(32, 32, 3));
  CHECK(outline.classes[6] == "frog");
}

TEST_CASE("a stop request ends reading") {
  const TempFolder folder;
  folder.write("test_batch.bin", batch(0));
  TestContext context;
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(
      make_component<Source>("source/cifar10", {{"path", folder.path()}, {"train_folds", Folds{}}})
          ->open(context),
      Cancelled);
}

TEST_CASE("the real test batch has 1000 images of each class") {
  const std::string data = real_data();
  if (data.empty()) return;
  TestContext context;
  const auto set =
      open_checked(*make_component<Source>("source/cifar10",
                                           {{"path", data + "/cifar10"}, {"train_folds", Folds{}}}),
                   context);
  CHECK(set->outline().classes.front() == "airplane");
  CHECK(class_counts(*set, 0, 10000) == std::vector<int>(10, 1000));
}

}  // namespace cifar10_test
