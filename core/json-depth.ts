/** Objects and arrays in each other that a JSON value of somebody else's may have: a config, a content, metadata. */
export const deepestJson = 64;
