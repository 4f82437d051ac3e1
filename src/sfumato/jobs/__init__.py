"""One function per verb, from files to files: what the command line, the workbench and scripts share.

The verb of `sfumato mask` is the function `mask` in `sfumato.jobs.mask`. Files come first, all else is a keyword;
every verb that reads data takes `options`, a `sfumato.files.ReadOptions`. A job checks all it is given before it
begins, tells how far it is through `on_progress`, prints nothing, and returns a `JobResult`: what came out, with
`to_dict` for machines and `str` for people, the `notices` that must be read with it, and how it ended.
"""
