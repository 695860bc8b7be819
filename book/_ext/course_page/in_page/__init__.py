"""What the page's Python runs besides the package itself: its own entry, and what stands in for modules of the package
that need an operating system (`instead`)."""
