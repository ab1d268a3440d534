/**
 * Ids shared by all examples, which tell one story: handbook.pdf is registered as a document, `extract-text` reads it
 * and `chunk-text` cuts the text. Scans go to the third-party plugin `ocr`.
 */
export const resourceId = '019aa099-6a3b-7d4e-8a51-0e6f2a9b3c4d';
export const scanId = '019aa09c-11d8-7b02-9f6e-51c7d80a4e93';
export const documentsId = '019a9b1d-5480-743e-8ba2-1f5057df2db4';
export const metadataId = '019aa099-74a9-7cb8-88c3-2c206b659d6a';
export const textId = '019aa099-74a9-7c0a-81e7-081f0ea29918';
export const chunksId = '019aa099-76f0-7f6e-a5f2-f418abb826f8';
export const uploadId = '019aa09c-2b44-7a1c-b0d3-6f2c95e8a7d1';
export const connectorId = '019aa09d-3c55-7e90-8d41-2b7f6a1c0e58';
export const operationId = '019aa0a1-5e20-7c44-9b1d-3f8a7c2d6e90';

/** The SHA-256 of the handbook's bytes in hex. */
export const sourceHash = 'b9978d0cf84f0074b423af165d474cd501059d4984fc1df8a00e281f0a3388b5';

/** An example cursor: the position of the handbook in its list. */
export const cursor = Buffer.from(JSON.stringify(['2025-11-20T09:30:00.123Z', resourceId])).toString(
  'base64url',
);
