export const metadataKey = /^[A-Za-z0-9_.-]{1,64}$/;
