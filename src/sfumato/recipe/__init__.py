"""Recipes: steps and a seed, written as YAML, run on data or files, recorded in a manifest and verified from it."""

from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.improvement_manifest import ImprovementManifest
from sfumato.recipe.manifest import FileFacts, Manifest, ReadOptions, RecipeFacts, manifest_path
from sfumato.recipe.recipe import Progress, Recipe
from sfumato.recipe.release import mask_file
from sfumato.recipe.verification import Check, Verification, verify

__all__ = [
    "Check",
    "FileFacts",
    "ImprovementFacts",
    "ImprovementManifest",
    "Manifest",
    "Progress",
    "ReadOptions",
    "Recipe",
    "RecipeFacts",
    "Verification",
    "manifest_path",
    "mask_file",
    "verify",
]
