// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace semblance {

/// What one training computes and another, of the same samples, need not compute again, such as
/// kernel values. Its member functions may be called by several trainings at a time.
class SharedWork {
 public:
  virtual ~SharedWork();
  /// The number of bytes that it takes at most.
  virtual std::size_t bytes() const noexcept = 0;
};

/// An optional interface of solvers whose trainings share work with trainings of the same samples
/// that differ only in parameters such as C. What a training learns must not depend on whether it
/// shares, with how many, or in which order they train: not in a single bit.
class SharesWork {
 public:
  virtual ~SharesWork();

  /// What is shared, in the plural, for people: "kernel values".
  virtual std::string name_of_shared_work() const = 0;

  /// The parameters on which the shared work depends. Solvers of one kind that agree in these, and
  /// in what these contain, can share it.
  virtual std::vector<std::string> parameters_of_shared_work() const = 0;

  /// Makes, still empty, what trainings of `rows` samples can share in at most `bytes` bytes of
  /// memory; null if these are too few.
  virtual std::shared_ptr<SharedWork> make_shared_work(std::size_t rows,
                                                       std::size_t bytes) const = 0;

  /// Shares this in the next training; null: nothing. It was made by this solver or by one that
  /// agrees with it.
  virtual void use_shared_work(std::shared_ptr<SharedWork> work) = 0;
};

}  // namespace semblance
