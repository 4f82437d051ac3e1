"""Seeds: where random draws begin, and the generators that they give."""

import secrets

import numpy as np

SEED_BITS = 128


def draw_seed() -> int:
    """Return a seed drawn from the system, which nobody can guess."""
    return secrets.randbits(SEED_BITS)


def generator(seed: int, step: int) -> np.random.Generator:
    """Return the generator of an improver that comes as step number `step`, counted from 0."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(step, 0)))
