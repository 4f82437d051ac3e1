"""The output checker's jobs: show the outputs of a project, audit all of them together, decide of one."""
