"""The workbench: a steward's release in the browser of the same machine, every click a line of the recipe.

What is shown is a project: a folder in which every action is kept, so that nothing is lost when the browser or the
server ends (`project`, `changes`). All that takes time is computed by processes of its own (`worker`, `lanes`) through
the functions that the command line calls too. The server answers this machine alone, and whoever has its token
(`guard`, `server`). The screens show, and call; they compute nothing.
"""
