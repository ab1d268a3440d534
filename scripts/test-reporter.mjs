// Mocha's "spec" reporter, which also prints at once why a test failed. At the end it lists the ten slowest files, and
// writes the numbers of passed and failed tests to the file in the reporter option "totals".
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

import Mocha from 'mocha';

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_FAIL } = Mocha.Runner.constants;
const listed = 10;

export default class TestReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    /** The total time of each file's tests and hooks, in milliseconds. */
    const took = new Map();
    const add = ({ file, duration = 0 }) => {
      if (file) took.set(file, (took.get(file) ?? 0) + duration);
    };
    runner.on(EVENT_TEST_END, add).on(EVENT_HOOK_END, add);
    runner.on(EVENT_TEST_FAIL, (_test, { message }) => console.log(message?.replace(/^/gm, '       ')));
    runner.once(EVENT_RUN_END, () => {
      const { totals } = options.reporterOptions ?? {};
      if (totals) writeFileSync(totals, `${this.stats.passes} ${this.stats.failures}\n`);
      if (took.size < 2) return;
      console.log('\n  Slowest files:');
      for (const [file, ms] of [...took].sort(([, a], [, b]) => b - a).slice(0, listed))
        console.log(`    ${(ms / 1000).toFixed(1).padStart(6)} s  ${relative('.', file)}`);
    });
  }
}
