"""Settings for every test, doctests in the sources included."""

from hypothesis import settings

settings.register_profile("sfumato", deadline=None, print_blob=True)  # first calls compile, so time limits mean nothing
settings.load_profile("sfumato")
