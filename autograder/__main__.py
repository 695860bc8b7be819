"""`python -m autograder` is the `autograder` command."""

import sys

from .cli import main

sys.exit(main())
