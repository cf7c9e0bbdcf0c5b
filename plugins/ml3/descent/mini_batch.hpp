// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "latent/weighting.hpp"
#include "problem.hpp"
#include "semblance_numerics/product.hpp"
#include "semblance_numerics/sparse_block.hpp"

/// Mini-batches of a stochastic descent: their rows are in a random order, and taken ahead of the
/// steps.
namespace semblance::ml3 {

/// The samples of a batch in the form for products with models and for their updates: unchanged, or
/// listed without their background.
class MiniBatchRows {
 public:
  MiniBatchRows(const Problem& problem, std::size_t most);

  std::size_t count() const noexcept { return count_; }
  void clear();
  void add(std::size_t number);

  /// Call it after all samples have been added.
  void prepare();
  /// z = products with models in stored form. Thread-safe.
  void multiply(const numerics::PackedRows& models, MutableMatrixView z) const;

  /// products[j] = the inner product of the samples at `position` and j, for all j >= position.
  /// add_to() needs its intermediate results. Listed samples need room(), one batch at a time.
  void multiply_with_batch(std::size_t position, float* products, numerics::PackedRows& room);
  /// Releases the room for another batch.
  void leave(numerics::PackedRows& room);
  static numerics::PackedRows room(const Problem& problem, std::size_t most);

  /// A panel of the models += factors[i] times the sample at positions[i], one after the other:
  /// `width` factors each.
  void add_to(float* panel, std::size_t cols, std::span<const std::size_t> positions,
              const float* factors) const;

 private:
  void scatter(float factor, numerics::PackedRows& room) const;
  numerics::SparseRow change(std::size_t position) const noexcept;

  const Problem& problem_;
  std::size_t count_ = 0;

  ModelMatrix x_;
  std::optional<numerics::PackedBlock> left_;

  std::vector<numerics::SparseRow> rows_;    // listed
  numerics::SparseBatch in_slices_;          // the same for multiply()
  std::vector<float> along_;                 // ListedRows::along() of each
  std::vector<std::vector<float>> changes_;  // the rows' values as updates need them

  std::optional<numerics::PackedRows> packed_;  // x_
  bool scattered_ = false;                      // in the room
};

/// The samples of a batch with all that their steps need of them, in one place.
class MiniBatch {
 public:
  MiniBatch(const Problem& problem, const Weighting& weighting, std::size_t most);

  /// Takes order[first, first + count).
  void take(std::span<const std::uint32_t> order, std::size_t first, std::size_t count);

  std::size_t size() const noexcept { return samples_.size(); }
  const std::vector<Sample>& samples() const noexcept { return samples_; }
  const Sample& operator[](std::size_t position) const noexcept { return samples_[position]; }
  MiniBatchRows& rows() noexcept { return rows_; }

  /// The number of batches taken ahead while the same number is processed.
  static std::size_t taken_ahead(const Problem& problem, std::size_t most,
                                 std::size_t values_per_sample) noexcept;

 private:
  void expect(std::span<const std::uint32_t> order, std::size_t i) const;

  const Problem& problem_;
  const Weighting& weighting_;
  MiniBatchRows rows_;
  FloatMatrix values_;  // Weighting::values()
  std::vector<Sample> samples_;
};

/// The batches of an order: while one piece of them is walked through, the next is taken.
class MiniBatches {
 public:
  /// Consecutive batches of the order.
  struct Piece {
    std::vector<MiniBatch> batches;
    std::size_t used = 0;    // of these
    std::size_t walked = 0;  // of those
    std::size_t next = 0;    // of the order, to be walked through
    std::size_t end = 0;

    bool through() const noexcept { return walked == used; }
    MiniBatch& batch() { return batches[walked]; }
    void batch_walked() { next += batches[walked++].size(); }
  };

  /// `batch`: samples of one; `piece`: batches of one.
  MiniBatches(const Problem& problem, const Weighting& weighting, std::size_t batch,
              std::size_t piece);

  /// Takes the first piece, unless it has been taken ahead.
  void begin(std::span<const std::uint32_t> order, std::size_t first);
  Piece& present() noexcept { return pieces_[turn_]; }
  /// Takes the piece after the present one, unless already done.
  void take_next(std::span<const std::uint32_t> order);
  /// Makes the next piece the present one.
  void go_on() noexcept { turn_ = 1 - turn_; }

 private:
  static bool begins_at(const Piece& piece, std::size_t first) noexcept {
    return !piece.through() && piece.next == first;
  }
  void take(Piece& piece, std::span<const std::uint32_t> order, std::size_t first);

  const std::size_t batch_;
  std::array<Piece, 2> pieces_;
  std::size_t turn_ = 0;
};

}  // namespace semblance::ml3
