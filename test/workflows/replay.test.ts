import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from '@temporalio/worker';

const folder = resolve('test/replay');
const shapes = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const bundle = (name: string) => ({
  workflowBundle: { codePath: resolve(`dist/${name}.js`) },
  sinks: { exporter: { export: { fn: () => undefined } } },
});
const replayOptions = bundle('workflow-bundle');

describe('workflows that an earlier version began', () => {
  for (const { name } of shapes) {
    for (const file of readdirSync(join(folder, name))) {
      it(`replay: ${name}, ${file.replace('.json', '').replaceAll('-', ' ')}`, async () => {
        await Worker.runReplayHistory(replayOptions, readHistory(join(folder, name, file)));
        // Tracing may be switched on, and off again, while a run is at work.
        await Worker.runReplayHistory(
          bundle('workflow-bundle-traced'),
          readHistory(join(folder, name, file)),
        );
      });
    }
  }

  it('are told from ones that do not fit', async () => {
    const history = readHistory(join(folder, '0.1.0', 'two-built-in-steps.json')) as {
      events: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }[];
    };
    for (const event of history.events) {
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (scheduled) scheduled.activityType.name = 'somethingElse';
    }
    await assert.rejects(Worker.runReplayHistory(replayOptions, history), /[Nn]ondeterminism/);
  });
});

function readHistory(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
