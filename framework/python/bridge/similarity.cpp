// SPDX-License-Identifier: MIT
#include "semblance/similarity.hpp"

#include "kinds.hpp"
#include "semblance/basis_checks.hpp"
#include "semblance/self_similarity.hpp"

namespace semblance::python {
namespace {

class PythonSimilarity final : public PythonPart<Similarity>, public SelfSimilarity {
 public:
  using PythonPart::PythonPart;

  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override {
    basis_checks::check_not_empty(bases);
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      adapter().attr("set_bases")(lent.rows(bases), lent.integers(indices), lent_context.object());
    });
    bases_ = bases.rows;
  }

  std::size_t bases() const noexcept override { return bases_; }
  double operations() const noexcept override { return 3.0 * static_cast<double>(values_); }
  bool positive_semidefinite() const noexcept override {
    return definition().positive_semidefinite;
  }
  bool learns_from_bases() const noexcept override { return !definition().exact; }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_range(in, 0, out, context);
  }

  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const override {
    basis_checks::check_range(bases_, first, out);
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      adapter().attr("apply_range")(lent.rows(in), first, lent.room(out), lent_context.object());
    });
  }

  void compare_with_itself(MatrixView rows, float* values) const override {
    call_without_context([&](LentArrays& lent) {
      adapter().attr("compare_with_itself")(lent.rows(rows), lent.room({values, rows.rows, 1, 1}));
    });
  }

  void save(StateWriter& state) const override { save_state(state); }
  void load(const StateReader& state, Context&) override {
    load_state(state);
    in_python([&] { bases_ = adapter().attr("count").cast<std::size_t>(); });
  }

 private:
  void prepare(const Layout& input) override {
    basis_checks::check_has_values(input);
    if (input.kind == LayoutKind::sparse)
      throw Error("the samples, each a " + describe(input) +
                  ", cannot be handed to Python; put feature/dense before it");
    bind_adapter(input);
    values_ = input.size();
  }

  std::size_t bases_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

std::unique_ptr<Component> make_similarity(
    std::shared_ptr<const PythonComponent::Definition> definition) {
  return std::make_unique<PythonSimilarity>(std::move(definition));
}

}  // namespace semblance::python
