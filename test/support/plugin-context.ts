export * from '../../plugins/sdk/testing.js';
