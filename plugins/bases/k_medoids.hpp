// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// Kernel k-medoids on a similarity measure, class by class: 'K KMed' of BE-SVM, section 3.4.
class KMedoidsBases final : public Basis {
 public:
  static Declaration<KMedoidsBases> declare();
  void check_parameters() const override;
  bool uses_rows() const override { return true; }
  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override;
  std::size_t count(std::size_t training_rows, std::size_t classes) const override;

 private:
  std::vector<std::int64_t> select_in_class(const TrainingSet& training,
                                            std::span<const std::int64_t> candidates,
                                            const std::string& name, Context& context);

  std::unique_ptr<Similarity> similarity_;
  std::int64_t per_class_ = 100;
  std::int64_t iterations_ = 20;
  std::int64_t candidates_ = 2000;
};

}  // namespace semblance
