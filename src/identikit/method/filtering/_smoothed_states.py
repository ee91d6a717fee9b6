"""How well the smoothed states are known: their covariance, from the factors that removed them.

Forward through a chain, a state follows from the one before and the parameters, x_k = M (x_k-1, p) + R^-1 e, with e of
unit size; so does its covariance. This is the smoothing pass of Rauch, Tung and Striebel in information form.
"""

from __future__ import annotations

import numpy as np

from identikit.method.filtering._smoother import Smoothed
from identikit.numerics import Information, pseudo_inverse


def state_deviations(smoothed: Smoothed) -> np.ndarray:
    """Standard deviations [blocks, states] of the states at the blocks' beginnings, parameters estimated too."""
    linear, layout = smoothed.linear, smoothed.smoother.blocks.layout
    states, free = len(smoothed.smoother.sizes), len(smoothed.p)
    own = Information.of_rows(linear.information_rows).covariance if free else np.zeros((0, 0))
    found = np.empty((len(layout.begin), states))
    for number, (first, following) in enumerate(zip(linear.first, linear.following, strict=True)):
        chain = layout.of_chain(number)
        joint = np.zeros((states + free, states + free))
        joint[states:, states:] = own
        # columns of `first`: first state | free | right side; of a following pair: state before | free | right side
        pairs = [(first[:states, :states], first[:states, states:-1], False)]
        pairs += [(r, other[:, :-1], True) for r, other in reversed(following)]
        for k, (r, other, tied) in zip(chain, pairs, strict=True):
            inverse = pseudo_inverse(r)
            move = np.eye(states + free)
            move[:states] = 0.0
            move[:states, (0 if tied else states) :] = -inverse @ other
            joint = move @ joint @ move.T
            joint[:states, :states] += inverse @ inverse.T
            found[k] = np.sqrt(np.maximum(np.diag(joint)[:states], 0.0))
    return found
