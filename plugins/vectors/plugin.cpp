// SPDX-License-Identifier: MIT
#include "semblance/plugin.hpp"

#include "chi_square.hpp"
#include "cosine.hpp"
#include "deformable.hpp"
#include "intersection.hpp"
#include "jittered.hpp"
#include "linear.hpp"
#include "mirrored.hpp"
#include "polynomial.hpp"
#include "precomputed.hpp"
#include "rbf.hpp"
#include "rigid.hpp"
#include "semblance/diagnostics.hpp"
#include "semblance_numerics/machine.hpp"
#include "sum.hpp"

SEMBLANCE_PLUGIN("semblance_vectors", "0.1.0", "MIT", semblance::ChiSquare, semblance::Cosine,
                 semblance::Deformable, semblance::Intersection, semblance::Jittered,
                 semblance::Linear, semblance::Mirrored, semblance::Polynomial,
                 semblance::Precomputed, semblance::Rbf, semblance::Rigid, semblance::Sum)

SEMBLANCE_DIAGNOSTICS(semblance::numerics::machine_diagnostics)
