import { DefaultLogger, Runtime } from '@temporalio/worker';

// Temporal's workers in this process say nothing of failures that tests cause on purpose. It must be said before any of
// them exists: whoever starts one imports this first.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'OFF' } },
});
