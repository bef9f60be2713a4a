// What the metric kernels agree on.

// Pixels of a picture that one invocation looks after.
const BLOCK_WIDTH = 8u;
const BLOCK_HEIGHT = 32u;
