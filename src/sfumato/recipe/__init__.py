"""Recipes: steps and a seed, written as YAML, run on data or files, recorded in a manifest."""

from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.improvement_manifest import ImprovementManifest
from sfumato.recipe.manifest import FileFacts, Manifest, RecipeFacts, manifest_path
from sfumato.recipe.recipe import Recipe, RecipeProgress

__all__ = [
    "FileFacts",
    "ImprovementFacts",
    "ImprovementManifest",
    "Manifest",
    "Recipe",
    "RecipeFacts",
    "RecipeProgress",
    "manifest_path",
]
