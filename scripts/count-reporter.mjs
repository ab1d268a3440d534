// Mocha's "spec" reporter, which in the end also writes how many tests passed and failed to the file that the reporter's
// option "totals" names.
import { writeFileSync } from 'node:fs';

import Mocha from 'mocha';

export default class CountReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures } = this.stats;
      writeFileSync(options.reporterOptions.totals, `${passes} ${failures}\n`);
    });
  }
}
