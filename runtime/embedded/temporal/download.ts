/**
 * Runs as a separate process, because a download by the SDK cannot be cancelled: downloads the Temporal CLI into the
 * given folder and starts it once.
 *
 * Arguments: version (v1.5.1), folder.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [version, downloadDir] = process.argv.slice(2);
if (version === undefined || downloadDir === undefined) throw new Error('version and folder are missing');

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version, downloadDir } },
});
await environment.teardown();
process.exit(0);
