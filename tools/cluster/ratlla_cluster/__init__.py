"""Work for the game engine ratlla on many machines, with Dask.

The parts: ``main`` reads the command line. ``solve``, ``book`` and ``match`` cut a job into tasks and
put the results together. ``crew`` has tasks done by the workers of a scheduler, ``work`` is what
runs there, and ``journal`` keeps what is done.
"""
