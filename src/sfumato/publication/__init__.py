"""Files of publications: specifications of many tables, templates, batches of tau-Argus, and what is written."""

from sfumato.publication.build_publication import SpecifiedPublication, build_publication, protect_specified
from sfumato.publication.specification import PublicationSpecification

__all__ = ["PublicationSpecification", "SpecifiedPublication", "build_publication", "protect_specified"]
