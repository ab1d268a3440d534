/** Whether these are the tests of `npm run test:full`, where what is random is tried more often. */
export const isFull = process.env['KW_TEST_FULL'] === 'true';
