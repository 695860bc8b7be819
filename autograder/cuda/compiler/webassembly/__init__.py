"""Makes WebAssembly modules of kernels, for the engine that runs in Node or in a page."""
