// What the loss kernels agree on.

// Pixels of a picture that one invocation looks after.
const BLOCK_WIDTH = 4u;
const BLOCK_HEIGHT = 32u;
