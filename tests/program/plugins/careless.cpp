// SPDX-License-Identifier: MIT
// Components that leave memory behind, or never ask whether to stop; and some that only look so.
#include <ctime>
#include <mutex>
#include <vector>

#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/plugin.hpp"

namespace semblance {
namespace {

class Copying : public Feature {
 public:
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    copy_rows(in, out);
    remember();
  }

 protected:
  virtual void remember() const = 0;
};

/// Not even a compiler can tell that nobody will use it.
std::vector<std::vector<float>*>& forgotten() {
  static std::vector<std::vector<float>*> all;
  return all;
}

class Leaking final : public Copying {
 public:
  static Declaration<Leaking> declare() { return {"feature/leaking", "Forgets 400 bytes"}; }

 private:
  void remember() const override {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    forgotten().push_back(new std::vector<float>(100));
  }
};

/// Grows by doubling, as a vector does: at some uses only.
class Caching final : public Copying {
 public:
  static Declaration<Caching> declare() { return {"feature/caching", "Remembers each use"}; }

 private:
  void remember() const override {
    static std::mutex mutex;
    static std::vector<double> uses;
    const std::lock_guard lock(mutex);
    uses.push_back(1);
  }
};

/// Takes 2.5 seconds of processor time for many training samples, and none for few.
class Slow : public Normalizer {
 public:
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet& training, Context& context) override {
    const std::size_t n = training.rows.rows();
    mean_ = 0;
    for (std::size_t i = 0; i < n; ++i) mean_ += training.rows.view(i, 1).row(0)[0];
    mean_ /= static_cast<double>(n);
    const std::clock_t end = std::clock() + (n < 1000 ? 0 : 5 * CLOCKS_PER_SEC / 2);
    while (std::clock() < end)
      if (polls()) context.check_stop();
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    copy_rows(in, out);
    for (std::size_t i = 0; i < in.rows; ++i) out.row(i)[0] += static_cast<float>(mean_);
  }
  void save(StateWriter& state) const override { state.number("mean", mean_); }
  void load(const StateReader& state, Context&) override { mean_ = state.number("mean"); }

 protected:
  virtual bool polls() const = 0;

 private:
  double mean_ = 0;
};

class Deaf final : public Slow {
 public:
  static Declaration<Deaf> declare() { return {"normalizer/deaf", "Never asks whether to stop"}; }

 private:
  bool polls() const override { return false; }
};

class Listening final : public Slow {
 public:
  static Declaration<Listening> declare() { return {"normalizer/listening", "Asks all the time"}; }

 private:
  bool polls() const override { return true; }
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("careless", "1.0.0", "MIT", semblance::Leaking, semblance::Caching,
                 semblance::Deaf, semblance::Listening)
