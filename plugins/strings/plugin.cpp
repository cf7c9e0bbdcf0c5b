// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "edit.hpp"
#include "lcs.hpp"
#include "local_alignment.hpp"
#include "onehot.hpp"
#include "spectrum.hpp"
#include "subsequence.hpp"

SEMBLANCE_PLUGIN("semblance_strings", "0.1.0", "MIT", semblance::Edit, semblance::Lcs,
                 semblance::LocalAlignment, semblance::Onehot, semblance::Spectrum,
                 semblance::Subsequence)
