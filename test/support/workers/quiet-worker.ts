import { DefaultLogger, Runtime } from '@temporalio/worker';

// Stops Temporal's workers in this process from logging failures that tests cause on purpose. Must run before any of
// them exists, so import this first.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'OFF' } },
});
