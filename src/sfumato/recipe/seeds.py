"""Seeds: where random draws begin, and the generators that they give."""

import secrets

import numpy as np

SEED_BITS = 128
RELEASE_STREAM = 2**32 - 1  # no recipe has so many steps
RELEASE_PURPOSES = ("order", "households")


def draw_seed() -> int:
    """Return a seed drawn from the system, which nobody can guess."""
    return secrets.randbits(SEED_BITS)


def generator(seed: int, step: int) -> np.random.Generator:
    """Return the generator of an improver that comes as step number `step`, counted from 0."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(step, 0)))


def release_generator(release_key: int, purpose: str) -> np.random.Generator:
    """Return the generator of what is done to a file on its release; the draws of the steps do not depend on it."""
    stream = (RELEASE_STREAM, RELEASE_PURPOSES.index(purpose))
    return np.random.default_rng(np.random.SeedSequence(release_key, spawn_key=stream))
