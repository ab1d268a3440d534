/** Locks the given data directory until it is killed, and sends the result to its parent. */
import { openDataDirectory } from '../../../dist/runtime/embedded/data-dir.js';

try {
  await openDataDirectory(process.argv[2]);
  process.send('held');
  setInterval(() => undefined, 1000);
} catch (error) {
  process.send(String(error));
  process.disconnect();
}
