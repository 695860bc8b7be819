"""cuda/nvrtc/packages.py in a page, which has no GPU and no packages; importing the native one takes memory."""
