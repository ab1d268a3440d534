/** Whether this is `npm run test:full`, which runs random tests more often. */
export const isFull = process.env['KW_TEST_FULL'] === 'true';
