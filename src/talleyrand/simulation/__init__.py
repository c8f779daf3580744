"""Many movement phases at once, for programs that search or simulate: the extra `simulation`."""

import importlib.util

if importlib.util.find_spec("numpy") is None:
    raise ImportError(
        "talleyrand.simulation a besoin de NumPy / needs NumPy: pip install 'talleyrand[simulation]'"
    )
