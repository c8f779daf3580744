"""`python -m talleyrand`."""

import sys

from talleyrand.cli import main

sys.exit(main())
