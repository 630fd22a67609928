"""Distributes solving, book generation and matches of the game engine ratlla with Dask.

``main`` is the command line. ``solve``, ``book`` and ``match`` split a job into tasks and merge the
results. ``pool`` runs tasks on Dask workers, where ``command`` executes them; ``checkpoint`` stores
finished tasks so that a job can resume.
"""
