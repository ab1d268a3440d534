/** Takes the data directory named and holds it until it is killed; says how that went. */
import { openDataDirectory } from '../../runtime/embedded/data-dir.js';

try {
  await openDataDirectory(process.argv[2]!);
  process.send!('held');
  setInterval(() => undefined, 1000);
} catch (error) {
  process.send!(String(error));
  process.disconnect();
}
