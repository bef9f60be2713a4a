// What the loss kernels agree on.

// Pixels of a picture that one invocation looks after.
const BLOCK_WIDTH = 4u;
const BLOCK_HEIGHT = 32u;

// Pixels that one invocation of loss_maps.wgsl walks over.
const BAND_WIDTH = 8u;
const BAND_HEIGHT = 128u;

fn bands_across(columns: u32) -> u32 {
  return (columns * BLOCK_WIDTH + BAND_WIDTH - 1u) / BAND_WIDTH;
}
