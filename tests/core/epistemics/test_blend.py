"""Variance components: what matters is told from what does not."""

import numpy as np
import pytest

from perdura_core.epistemics.blend import learn_blend


def test_the_likeness_that_matters_is_found_and_guessed_by() -> None:
    dice = np.random.default_rng(0)
    group, other = dice.integers(0, 12, 400), dice.integers(0, 12, 400)
    effect = dice.normal(0, 1, 12)
    values = 0.3 + effect[group] + dice.normal(0, 0.5, 400)
    kernels = [(one[:, None] == one).astype(float) for one in (group, other)]
    learned, new = np.arange(300), np.arange(300, 400)
    blend = learn_blend(values[learned], [kernel[:300, :300] for kernel in kernels])
    assert blend.variances[0] > 10 * blend.variances[1]
    guess = blend.guess([kernel[np.ix_(new, learned)] for kernel in kernels])
    assert np.sqrt(np.mean((guess - values[new]) ** 2)) == pytest.approx(0.5, abs=0.1)
